import { type Issue, ServiceError, ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getPreferencesRoute, updatePreferencesRoute } from '../../contract/routes/preferences.ts';
import { canonicalAddress } from '../../domain/address.ts';
import {
  keptProofs,
  type Person,
  type Preferences,
  type TrackedAction,
  type TrackingChoice,
  trackedActions,
} from '../../domain/person/person.ts';
import { type Topic, topicId } from '../../domain/workspace/topic.ts';
import { textsOf } from '../../language/text.ts';
import { getAddress } from '../../store/person/people.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb, personSubject, requireRole } from '../operatorVerb.ts';
import { changePerson } from '../people.ts';

type PreferencesRecord = Output<typeof getPreferencesRoute>;

/** What a subscriber chose about tracking and topics. Throws `not_found` for an address that is no subscriber's. */
export async function getPreferences(
  context: Context,
  input: Input<typeof getPreferencesRoute>,
): Promise<PreferencesRecord> {
  requireRole(context, 'read');
  const email = requireAddress(input.email);
  const [{ kinds }, { person }] = await Promise.all([
    existingWorkspace(context.workspaceId),
    getAddress(context.workspaceId, email),
  ]);
  return recordOf(person, kinds);
}

type PreferencesChange = Input<typeof updatePreferencesRoute>;

/**
 * Records what a person said elsewhere. It can refuse for them at any time; what they refused or left it cannot give back
 * (`conflict`): only the page of their own link can. All of it is stored, or nothing.
 */
export const updatePreferences = /* @__PURE__ */ operatorVerb(
  {
    action: 'subscriber.preferences',
    needs: 'change',
    subject: ({ email }: PreferencesChange) => personSubject(email),
    note: ({ tracking = {}, topics = [] }: PreferencesChange) =>
      [
        ...trackedActions.flatMap((action) => (tracking[action] ? [`${action}: ${tracking[action]}`] : [])),
        ...topics.map(({ id, subscription }) => `${id}: ${subscription}`),
      ].join(', '),
    byKeys: 'audited',
  },
  async (context: Context, input: PreferencesChange): Promise<PreferencesRecord> => {
    const { workspaceId, now } = context;
    const email = requireAddress(input.email);
    const { kinds } = await existingWorkspace(workspaceId);
    const topics = topicsNamed(workspaceId, kinds, input.topics ?? []);
    requirePast(input, now);
    return changePerson({ workspaceId, email }, 'api', now, ({ person }) => {
      const tracked = withTracking(person.preferences, input.tracking ?? {}, context);
      const preferences = withTopics(tracked, topics);
      const after = preferences === person.preferences ? person : { ...person, preferences };
      return { person: after, result: recordOf(after, kinds) };
    });
  },
);

function requireAddress(text: string): string {
  const email = canonicalAddress(text);
  if (!email) throw notFound('subscriber');
  return email;
}

function recordOf(person: Person, topics: readonly Topic[]): PreferencesRecord {
  const { workspaceId, email, subscriber, preferences } = person;
  if (!subscriber) throw notFound('subscriber');
  const { opens, clicks, leftTags } = preferences;
  return {
    object: 'preferences',
    email,
    status: subscriber.status,
    tracking: { opens, clicks },
    topics: topics.toReversed().map(({ tag, name }) => ({
      id: topicId(workspaceId, tag),
      name,
      subscription: leftTags.includes(tag) ? 'opt_out' : 'opt_in',
    })),
  };
}

interface TopicChange {
  readonly topic: Topic;
  readonly isLeft: boolean;
}

function topicsNamed(
  workspaceId: string,
  topics: readonly Topic[],
  given: NonNullable<PreferencesChange['topics']>,
): TopicChange[] {
  const issues: Issue[] = [];
  const changes = given.flatMap(({ id, subscription }, index) => {
    const topic = topics.find(({ tag }) => topicId(workspaceId, tag) === id);
    if (!topic) issues.push({ path: `topics[${index}].id`, text: texts.noTopic });
    return topic ? [{ topic, isLeft: subscription === 'opt_out' }] : [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return changes;
}

function requirePast({ tracking }: PreferencesChange, now: Date): void {
  if (!tracking?.proof || Date.parse(tracking.proof.at) <= now.getTime()) return;
  throw new ValidationError([{ path: 'tracking.proof.at', text: texts.future }]);
}

/** Returns the same object when nothing changes. */
function withTracking(
  before: Preferences,
  { proof, ...wanted }: NonNullable<PreferencesChange['tracking']>,
  { actor, now }: Context,
): Preferences {
  const changed = trackedActions.filter((action) => isChange(before, action, wanted[action]));
  if (changed.length === 0) return before;
  const of = changed.filter((action) => wanted[action] === 'granted');
  const by = actor.kind === 'key' ? { by: actor.keyId } : {};
  const proofs =
    proof && of.length > 0
      ? { proofs: keptProofs([...(before.proofs ?? []), { of, ...proof, ...by, recordedAt: now.toISOString() }]) }
      : {};
  return { ...before, ...Object.fromEntries(changed.map((action) => [action, wanted[action]])), ...proofs };
}

function isChange(before: Preferences, action: TrackedAction, wanted: TrackingChoice | undefined): boolean {
  if (wanted === 'granted' && before[action] === 'denied') throw new ServiceError('conflict', { text: texts.refused });
  return wanted !== undefined && wanted !== before[action];
}

/** Returns the same object when nothing changes. */
function withTopics(before: Preferences, changes: readonly TopicChange[]): Preferences {
  const isLeft = ({ topic }: TopicChange) => before.leftTags.includes(topic.tag);
  if (changes.some((change) => !change.isLeft && isLeft(change))) {
    throw new ServiceError('conflict', { text: texts.left });
  }
  const left = changes.filter((change) => change.isLeft && !isLeft(change)).map(({ topic }) => topic.tag);
  return left.length === 0 ? before : { ...before, leftTags: [...before.leftTags, ...left] };
}

const texts = textsOf({
  noTopic: { en: 'is not the id of a topic', fr: 'n’est pas l’identifiant d’un type' },
  future: { en: 'must not be in the future', fr: 'ne doit pas être dans le futur' },
  refused: {
    en: 'Tracking was refused for this person: only they can allow it again, on the page behind the unsubscribe link of their mail.',
    fr: 'Le suivi a été refusé pour cette personne : elle seule peut le permettre de nouveau, sur la page du lien de désabonnement de ses messages.',
  },
  left: {
    en: 'This person left the topic: only they can come back, on the page behind the unsubscribe link of their mail.',
    fr: 'Cette personne a quitté ce type d’e-mail : elle seule peut y revenir, sur la page du lien de désabonnement de ses messages.',
  },
});
