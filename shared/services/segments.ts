import { issuesOf, ServiceError, ValidationError } from '../contract/errors.ts';
import { notFound } from '../contract/notFound.ts';
import type { Page } from '../contract/route.ts';
import { canonicalJson } from '../domain/encoding.ts';
import { isId } from '../domain/identifier.ts';
import type { Segment, SegmentRule } from '../domain/segment/segment.ts';
import { segmentRuleFor } from '../domain/segment/segmentRule.ts';
import { config } from '../platform/config.ts';
import { overtaken, untilSettled } from '../platform/deadline.ts';
import { getPeople } from '../store/person/people.ts';
import * as store from '../store/workspace/segments.ts';
import { countAudience, select } from './audience.ts';
import { editWatchedSegment } from './automations/watchingSegment.ts';
import { type Context, newId } from './context.ts';
import { operatorVerb, requireOperator, requireRole } from './operatorVerb.ts';
import { subscriberJson } from './people.ts';
import { campaignsTargeting, stillTargeted } from './targetingCampaigns.ts';
import { requireSegmentUnused } from './usingAutomations.ts';

/** A segment as an operator sees it. */
export type SegmentRecord = ReturnType<typeof segmentRecord>;

function segmentRecord({ id, name, rule, createdAt, updatedAt = createdAt }: Segment) {
  return { object: 'segment' as const, id, name, rule, created_at: createdAt, updated_at: updatedAt };
}

/** A list of segments is read by one query and shown whole. */
const maxSegments = 200;

interface SegmentPage {
  readonly limit: number;
  /** The id of the segment after which the page begins. */
  readonly after: string | undefined;
}

/** The segments of a workspace, newest first; all of them unless a page is asked for. */
export async function listSegments(
  context: Context,
  { limit, after }: SegmentPage = { limit: maxSegments, after: undefined },
): Promise<Page<SegmentRecord>> {
  requireRole(context, 'read');
  const all = (await store.listSegments(context.workspaceId)).map(segmentRecord).reverse();
  const rest = after === undefined ? all : all.filter(({ id }) => id < after);
  const entries = rest.slice(0, limit);
  return { entries, next: rest.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** A segment by its id or, for an operator, its name. Throws `not_found`. */
export async function showSegment(context: Context, { id }: { readonly id: string }): Promise<SegmentRecord> {
  requireRole(context, 'read');
  return segmentRecord(await segmentOf(context, id));
}

/** A segment by its id alone: only people look one up by its name, which may change. Throws `not_found`. */
export async function segmentWithId(workspaceId: string, id: string): Promise<Segment> {
  const segment = isId('seg', id) ? await store.getSegment(workspaceId, id) : null;
  if (segment) return segment;
  throw unknownSegment(id);
}

/** The segment that a caller names: a program by its id, an operator also by its name. Throws `not_found`. */
export async function segmentOf({ actor, workspaceId }: Context, idOrName: string): Promise<Segment> {
  if (actor.kind === 'operator') return findSegment(workspaceId, idOrName);
  const segment = isId('seg', idOrName) ? await store.getSegment(workspaceId, idOrName) : null;
  if (!segment) throw notFound('segment');
  return segment;
}

/** A segment by its id, or by its name in any case. Throws `not_found`. */
export async function findSegment(workspaceId: string, idOrName: string): Promise<Segment> {
  const byId = isId('seg', idOrName) ? await store.getSegment(workspaceId, idOrName) : null;
  const segment =
    byId ?? (await store.listSegments(workspaceId)).find(({ name }) => name.toLowerCase() === idOrName.toLowerCase());
  if (segment) return segment;
  throw unknownSegment(idOrName);
}

const unknownSegment = (named: string) =>
  new ServiceError('not_found', {
    text: {
      en: `There is no segment "${named}" in this workspace.`,
      fr: `Il n’y a pas de segment « ${named} » dans cet espace.`,
    },
  });

/** How many people a campaign to this segment would reach now. Throws `not_found`. */
export async function countSegment(context: Context, input: { readonly id: string }) {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const { id, name, rule } = await segmentOf(context, input.id);
  const recipients = await countAudience({ workspaceId, rule, to: null }, now);
  return { object: 'segment_count' as const, id, name, recipients };
}

const sampleSize = 10;

/**
 * How many people a campaign to this rule, or this segment, would reach now (an exact count), and ten of them. Reads the
 * audience index once: 40 read units for a thousand people. Throws `validation_error` for an invalid rule.
 */
export async function previewSegment(
  context: Context,
  input: { readonly rule?: unknown; readonly segment_id?: string | undefined },
) {
  requireRole(context, 'read');
  const { workspaceId, now } = context;
  const { segment_id } = input;
  const rule = segment_id === undefined ? readRule(input.rule) : (await segmentWithId(workspaceId, segment_id)).rule;
  const sample: string[] = [];
  const counts = select({ workspaceId, rule, to: null }, now).streams.map(async (pages) => {
    let count = 0;
    for await (const { members } of pages) {
      count += members.length;
      sample.push(...members.slice(0, Math.max(0, sampleSize - sample.length)));
    }
    return count;
  });
  const recipients = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const people = (await getPeople(workspaceId, sample)).flatMap(({ email, subscriber }) =>
    subscriber ? subscriberJson(email, subscriber) : [],
  );
  return { object: 'segment_preview' as const, recipients, sample: people };
}

/** Creates a segment. Throws `validation_error` with every problem of the rule, `conflict` when the name is taken. */
export const createSegment = /* @__PURE__ */ operatorVerb(
  { action: 'segment.create', needs: 'change', subject: ({ name }) => name, byKeys: 'audited' },
  async (context: Context, input: { readonly name: string; readonly rule: unknown }): Promise<SegmentRecord> => {
    const rule = readRule(input.rule);
    const id = newId(context, 'seg');
    const others = (await store.listSegments(context.workspaceId)).filter((other) => other.id !== id);
    requireFreeName(input.name, others);
    if (others.length >= maxSegments) throw tooMany;
    const segment = { id, name: input.name, rule, createdAt: context.now.toISOString() };
    await store.putSegment(context.workspaceId, segment);
    return segmentRecord(segment);
  },
);

/**
 * Changes the name of a segment, its rule, or both. Campaigns already sent to it keep their recipients. If the
 * rule changes, automations that start with it evaluate everybody again.
 */
export const editSegment = /* @__PURE__ */ operatorVerb(
  { action: 'segment.edit', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    context: Context,
    input: { readonly id: string; readonly name?: string | undefined; readonly rule?: unknown },
  ): Promise<SegmentRecord> =>
    untilSettled(async () => {
      const { workspaceId, now } = context;
      const before = await segmentOf(context, input.id);
      const rule = input.rule === undefined ? before.rule : readRule(input.rule);
      const others = (await store.listSegments(workspaceId)).filter(({ id }) => id !== before.id);
      const name = input.name ?? before.name;
      requireFreeName(name, others);
      const isSameRule = canonicalJson(rule) === canonicalJson(before.rule);
      if (name === before.name && isSameRule) return segmentRecord(before);
      const segment = { ...before, name, rule, updatedAt: now.toISOString() };
      if (!isSameRule) {
        const edited = { ...segment, ruleUpdatedAt: segment.updatedAt };
        return (await editWatchedSegment(workspaceId, edited, now)) ? segmentRecord(edited) : overtaken;
      }
      // One that was deleted meanwhile must not come back.
      if (!(await store.changeSegment(workspaceId, segment))) throw notFound('segment');
      return segmentRecord(segment);
    }),
);

/** Deletes a segment. Throws `conflict` while a draft, a scheduled campaign or an automation uses it. */
export const deleteSegment = /* @__PURE__ */ operatorVerb(
  { action: 'segment.delete', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, input: { readonly id: string }) => {
    const { id } = await segmentOf(context, input.id);
    const campaigns = await campaignsTargeting(context.workspaceId, ({ segmentId }) => segmentId === id);
    if (campaigns.length > 0) throw stillTargeted(campaigns, 'segment');
    await requireSegmentUnused(context.workspaceId, id);
    await store.deleteSegment(context.workspaceId, id);
    return { object: 'segment' as const, id, deleted: true as const };
  },
);

/** A longer rule does not fit into the item that holds it. */
const maxRuleBytes = 100_000;

function readRule(rule: unknown): SegmentRule {
  const kept = { eventDays: config('EVENT_RETENTION_DAYS'), mailActivity: config('MAIL_ACTIVITY') };
  const result = segmentRuleFor(kept).safeParse(rule, { reportInput: true });
  if (!result.success) {
    const issues = issuesOf(result.error);
    throw new ValidationError(issues.map(({ path, text }) => ({ path: path === '' ? 'rule' : `rule.${path}`, text })));
  }
  if (Buffer.byteLength(JSON.stringify(result.data)) <= maxRuleBytes) return result.data;
  throw new ValidationError([{ path: 'rule', text: tooLong }]);
}

const tooLong = {
  en: `must have at most ${maxRuleBytes} bytes as JSON`,
  fr: `doit compter au plus ${maxRuleBytes} octets en JSON`,
};

/** Names are compared without regard to case. */
function requireFreeName(name: string, others: readonly Segment[]): void {
  if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return;
  throw new ServiceError('conflict', {
    text: { en: `There is a segment "${name}" already.`, fr: `Il y a déjà un segment « ${name} ».` },
  });
}

const tooMany = new ServiceError('conflict', {
  text: {
    en: `A workspace has at most ${maxSegments} segments.`,
    fr: `Un espace a au plus ${maxSegments} segments.`,
  },
});
