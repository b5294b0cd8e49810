import { type Issue, ServiceError, ValidationError } from '../contract/errors.ts';
import { notFound } from '../contract/notFound.ts';
import type { Page } from '../contract/route.ts';
import { characterCount } from '../domain/encoding.ts';
import { derivedId, timeOfId } from '../domain/identifier.ts';
import { maxTopics, type Topic, topicBounds, topicId } from '../domain/workspace/topic.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { textsOf } from '../language/text.ts';
import { untilSettled } from '../platform/deadline.ts';
import { replaceTopics } from '../store/workspace/topics.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireRole } from './operatorVerb.ts';
import { campaignsTargeting, stillTargeted } from './targetingCampaigns.ts';
import { requireTopicUnused } from './usingAutomations.ts';

/** A topic as operators and the API see it. */
export type TopicRecord = ReturnType<typeof topicRecord>;

/** A topic of an earlier release has no time of its own: it is not older than its workspace. */
const topicRecord = (workspace: Pick<Workspace, 'id' | 'createdAt'>, { name, description, tag, createdAt }: Topic) => ({
  object: 'topic' as const,
  id: topicId(workspace.id, tag),
  name,
  description: description ?? null,
  tag,
  default_subscription: 'opt_in' as const,
  created_at: createdAt ?? workspace.createdAt,
});

interface TopicPage {
  readonly limit: number;
  /** The id of the topic after which the page begins. */
  readonly after: string | undefined;
}

/** The topics of a workspace, newest first; all of them unless a page is asked for. */
export async function listTopics(
  context: Context,
  { limit, after }: TopicPage = { limit: maxTopics, after: undefined },
): Promise<Page<TopicRecord>> {
  requireRole(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  const all = workspace.kinds.map((topic) => topicRecord(workspace, topic)).reverse();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw new ValidationError([{ path: 'after', text: texts.after }]);
  const entries = all.slice(start, start + limit);
  return { entries, next: start + limit < all.length ? (entries.at(-1)?.id ?? null) : null };
}

/** A topic by its id or, for an operator, its tag. Throws `not_found`. */
export async function showTopic(context: Context, { id }: { readonly id: string }): Promise<TopicRecord> {
  requireRole(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  return topicRecord(workspace, topicOf(context, workspace.kinds, id));
}

/** The topic that a caller names: a program by its id, an operator also by its tag. Throws `not_found`. */
function topicOf({ actor, workspaceId }: Context, topics: readonly Topic[], idOrTag: string): Topic {
  const isNamed = ({ tag }: Topic) => actor.kind === 'operator' && tag === idOrTag;
  const topic = topics.find((one) => topicId(workspaceId, one.tag) === idOrTag || isNamed(one));
  if (!topic) throw notFound('topic');
  return topic;
}

interface NewTopic {
  readonly name: string;
  readonly description?: string | undefined;
  /** `name:value`; by default made from the name. */
  readonly tag?: string | undefined;
}

/**
 * Makes the mail with a tag a topic. Throws `conflict` when the tag is a topic already, and for one more than a workspace
 * may have. People who left the tag while it was a topic before have still left it.
 */
export const createTopic = /* @__PURE__ */ operatorVerb(
  { action: 'topic.create', needs: 'change', subject: ({ name }) => name, byKeys: 'audited' },
  async (context: Context, input: NewTopic): Promise<TopicRecord> => {
    const { reservedId, now } = context;
    const workspace = await existingWorkspace(context.workspaceId);
    const tag = input.tag ?? tagOfName(input.name);
    // Under an Idempotency-Key the time is that of the first try, by which a repeated call knows its own topic.
    const createdAt = (reservedId === undefined ? now : timeOfId(reservedId)).toISOString();
    const description = input.description ? { description: input.description } : {};
    const topic = { tag, name: input.name, ...description, createdAt };
    requireValid(topic);
    await changeTopics(workspace.id, (topics) => {
      const same = topics.find((one) => one.tag === tag);
      const isOwn = reservedId !== undefined && same?.createdAt === createdAt && same.name === topic.name;
      if (isOwn) return topics;
      if (same) throw taken(same);
      requireRoom(topics);
      return [...topics, topic];
    });
    return topicRecord(workspace, topic);
  },
);

interface TopicChange {
  readonly id: string;
  readonly name?: string | undefined;
  /** Null clears it. */
  readonly description?: string | null | undefined;
}

/** Changes the name of a topic, its description, or both. Its tag, and so its id, never change. */
export const editTopic = /* @__PURE__ */ operatorVerb(
  { action: 'topic.edit', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id, name, description }: TopicChange): Promise<TopicRecord> => {
    const workspace = await existingWorkspace(context.workspaceId);
    const topics = await changeTopics(workspace.id, (before) => {
      const { description: known, ...topic } = topicOf(context, before, id);
      const text = description === undefined ? known : description;
      const after = { ...topic, name: name ?? topic.name, ...(text && { description: text }) };
      requireValid(after);
      return before.map((one) => (one.tag === topic.tag ? after : one));
    });
    return topicRecord(workspace, topicOf(context, topics, id));
  },
);

/** Adds a topic with this tag, or renames it. */
export const setTopic = /* @__PURE__ */ operatorVerb(
  { action: 'kind.set', needs: 'change', subject: ({ tag }) => tag },
  async (context: Context, { tag, name }: Pick<Topic, 'tag' | 'name'>): Promise<TopicRecord> => {
    const workspace = await existingWorkspace(context.workspaceId);
    requireValid({ tag, name });
    const topics = await changeTopics(workspace.id, (before) => {
      if (before.some((one) => one.tag === tag)) return before.map((one) => (one.tag === tag ? { ...one, name } : one));
      requireRoom(before);
      return [...before, { tag, name, createdAt: context.now.toISOString() }];
    });
    return topicRecord(workspace, topicOf(context, topics, tag));
  },
);

/**
 * Deletes a topic: everybody who has not left the workspace gets its mail again. Their choices stay stored, and apply when
 * its tag is a topic again. Throws `conflict` while a draft, a scheduled campaign or an automation uses
 * it.
 */
export const deleteTopic = /* @__PURE__ */ operatorVerb(
  { action: 'topic.delete', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, input: { readonly id: string }) => {
    const workspace = await existingWorkspace(context.workspaceId);
    const { tag } = topicOf(context, workspace.kinds, input.id);
    const campaigns = await campaignsTargeting(workspace.id, (campaign) => campaign.tag === tag);
    if (campaigns.length > 0) throw stillTargeted(campaigns, 'topic');
    await requireTopicUnused(workspace.id, tag);
    await changeTopics(workspace.id, (topics) => topics.filter((one) => one.tag !== tag));
    return { object: 'topic' as const, id: topicId(workspace.id, tag), deleted: true as const };
  },
);

const changeTopics = (workspaceId: string, decide: (topics: readonly Topic[]) => readonly Topic[]) =>
  untilSettled<readonly Topic[]>(() => replaceTopics(workspaceId, decide));

const tagPattern = /^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/;

/** `topic:` and the name in letters and digits, as in `topic:weekly-news`; a hash of a name that has none. */
function tagOfName(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = letters.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  return `topic:${slug || derivedId('top', name).slice('top_'.length)}`;
}

const isLine = (text: string, most: number) =>
  text.trim().length > 0 && characterCount(text) <= most && !/[\p{Cc}\u2028\u2029]/u.test(text);

function requireValid({ tag, name, description }: Topic): void {
  const issues: Issue[] = [
    ...(tagPattern.test(tag) ? [] : [{ path: 'tag', text: texts.tag }]),
    ...(isLine(name, topicBounds.name) ? [] : [{ path: 'name', text: texts.name }]),
    ...(description === undefined || isLine(description, topicBounds.description)
      ? []
      : [{ path: 'description', text: texts.description }]),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
}

function requireRoom(topics: readonly Topic[]): void {
  if (topics.length >= maxTopics) throw new ServiceError('conflict', { text: texts.tooMany });
}

const taken = ({ tag, name }: Topic) =>
  new ServiceError('conflict', {
    text: {
      en: `The topic "${name}" has the tag "${tag}" already: give another tag, or change that topic.`,
      fr: `Le type « ${name} » a déjà l’étiquette « ${tag} » : donnez une autre étiquette, ou modifiez ce type.`,
    },
  });

const texts = textsOf({
  tag: {
    en: 'must be the name and value of a tag, as in "category:newsletter"',
    fr: 'doit être le nom et la valeur d’une étiquette, comme « category:newsletter »',
  },
  name: {
    en: `must be 1 to ${topicBounds.name} characters without line breaks, and not only spaces`,
    fr: `doit compter de 1 à ${topicBounds.name} caractères sans saut de ligne, et pas seulement des espaces`,
  },
  description: {
    en: `must be 1 to ${topicBounds.description} characters without line breaks, and not only spaces`,
    fr: `doit compter de 1 à ${topicBounds.description} caractères sans saut de ligne, et pas seulement des espaces`,
  },
  after: { en: 'is not the id of a topic', fr: 'n’est pas l’identifiant d’un type' },
  tooMany: {
    en: `A workspace has at most ${maxTopics} topics.`,
    fr: `Un espace a au plus ${maxTopics} types d’e-mails.`,
  },
});
