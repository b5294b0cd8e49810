import type { Input, Output } from '../contract/route.ts';
import type { evaluateAudienceRoute } from '../contract/routes/audience.ts';
import {
  countReasons,
  type Exclusion,
  exclusionOf,
  type LeftTopic,
  type RequestedEntry,
  readRequestedList,
} from '../domain/audience.ts';
import { matches, type RuleSubjects, ruleSubjects, type SegmentRule } from '../domain/segment/segment.ts';
import { topicId } from '../domain/workspace/topic.ts';
import {
  type AudienceMember,
  countMembers,
  type FoundSubscriber,
  findSubscribers,
  memberPages,
} from '../store/person/audience.ts';
import { leaversOf } from '../store/person/recipients.ts';
import { findPlatformSuppressed, platformSuppressedPages } from '../store/suppression/platformSuppression.ts';
import type { Context } from './context.ts';

/** The recipients that a campaign is meant for. */
export interface Target {
  readonly workspaceId: string;
  /** The rule of a segment; null for the whole list. */
  readonly rule: SegmentRule | null;
  /** The request's list of addresses, as written, if the target is limited to one; else null. */
  readonly to: readonly string[] | null;
  /** The campaign's topic (`name:value`), if the workspace offers to leave it. People who left it are not reached. */
  readonly tag?: string | null;
}

interface SelectedPage {
  /** Addresses that a campaign would reach, in canonical form. */
  readonly members: readonly string[];
  /** Addresses of the requested list that it would not reach; empty without a list. */
  readonly excluded: readonly Exclusion[];
}

export interface Selection {
  /** Entries of the list: duplicates, members and exclusions together. 0 without a list. */
  readonly requested: number;
  readonly duplicates: number;
  /**
   * The 16 shards of the audience, each in order of its addresses, or the list in its own order. They can be read in parallel, each once. A stream reads a
   * page on request and keeps no other, so that a million people need the memory of sixteen pages.
   */
  readonly streams: readonly AsyncIterable<SelectedPage>[];
}

/**
 * Selects the people whom a campaign would reach now: the one place that decides it. Reads only addresses and what the
 * rule needs. The audience index is eventually consistent: a change of the last moments may be missing.
 */
export function select(target: Target, now: Date): Selection {
  const criteria = criteriaOf(target, now);
  if (target.to === null) {
    const blocked = once(() => unreachable(target));
    const shards = memberPages(target.workspaceId, criteria.subjects);
    return { requested: 0, duplicates: 0, streams: shards.map((pages) => audiencePages(pages, blocked, criteria)) };
  }
  const { requested, duplicates, entries } = readRequestedList(target.to);
  return { requested, duplicates, streams: [listPages(target.workspaceId, entries, criteria)] };
}

interface Criteria {
  readonly subjects: RuleSubjects;
  isInSegment(member: AudienceMember): boolean;
  leftTopicOf(subscriber: FoundSubscriber): LeftTopic | null;
}

function criteriaOf({ workspaceId, rule, tag = null }: Target, now: Date): Criteria {
  const topic = tag === null ? null : { topic_id: topicId(workspaceId, tag), tag };
  return {
    subjects: ruleSubjects(rule),
    isInSegment: rule ? ({ person }) => matches(rule, person, now) : () => true,
    leftTopicOf: ({ leftTags }) => (topic && leftTags.includes(topic.tag) ? topic : null),
  };
}

async function* audiencePages(
  pages: AsyncIterable<AudienceMember[]>,
  blocked: () => Promise<ReadonlySet<string>>,
  { isInSegment }: Criteria,
): AsyncGenerator<SelectedPage> {
  const lookup = blocked();
  for await (const page of pages) {
    const left = await lookup;
    const members = page.filter((member) => !left.has(member.email) && isInSegment(member));
    yield { members: members.map(({ email }) => email), excluded: [] };
  }
}

/** Members whom the campaign must not reach: suppressed on the platform, or they left its topic. */
async function unreachable({ workspaceId, tag }: Target): Promise<Set<string>> {
  const [blocked, leavers] = await Promise.all([blockedMembers(workspaceId), tag ? leaversOf(workspaceId, tag) : []]);
  return new Set([...blocked, ...leavers]);
}

/** How many members the campaign must not reach. */
async function countUnreachable(target: Target): Promise<number> {
  return (await membersAmong(target.workspaceId, [...(await unreachable(target))])).length;
}

/**
 * Members who are suppressed on the platform only. The platform's list is far shorter than an audience: its addresses are
 * looked up in the workspace.
 */
async function blockedMembers(workspaceId: string): Promise<Set<string>> {
  const blocked = new Set<string>();
  for await (const emails of platformSuppressedPages()) {
    for (const email of await membersAmong(workspaceId, emails)) blocked.add(email);
  }
  return blocked;
}

async function membersAmong(workspaceId: string, emails: readonly string[]): Promise<string[]> {
  const found = await findSubscribers(workspaceId, emails, ruleSubjects(null));
  const active = [...found].filter(([, { status, isSuppressed }]) => status === 'subscribed' && !isSuppressed);
  return active.map(([email]) => email);
}

/** Twenty batch reads. */
const entriesOfPage = 2000;

async function* listPages(
  workspaceId: string,
  entries: readonly RequestedEntry[],
  criteria: Criteria,
): AsyncGenerator<SelectedPage> {
  for (let start = 0; start < entries.length; start += entriesOfPage) {
    yield selectEntries(workspaceId, entries.slice(start, start + entriesOfPage), criteria);
  }
}

/** Reads the workspace's items, then the platform's for those who are still members: at most one read unit an address. */
async function selectEntries(
  workspaceId: string,
  entries: readonly RequestedEntry[],
  { subjects, isInSegment, leftTopicOf }: Criteria,
): Promise<SelectedPage> {
  const addresses = entries.filter(({ isAddress }) => isAddress).map(({ email }) => email);
  const found = await findSubscribers(workspaceId, addresses, subjects);
  const active = [...found.values()].filter(({ status, isSuppressed }) => status === 'subscribed' && !isSuppressed);
  const blocked = await findPlatformSuppressed(active.map(({ email }) => email));
  const members: string[] = [];
  const excluded: Exclusion[] = [];
  for (const entry of entries) {
    const own = found.get(entry.email);
    const isSuppressed = own?.isSuppressed || blocked.has(entry.email);
    const exclusion = exclusionOf(
      entry,
      own && { ...own, isSuppressed, isInSegment: isInSegment(own), leftTopic: leftTopicOf(own) },
    );
    if (exclusion) excluded.push(exclusion);
    else members.push(entry.email);
  }
  return { members, excluded };
}

/** Reads once, at the first call. A rejection that no stream has awaited yet must not count as unhandled. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (!answer) {
      answer = read();
      answer.catch(() => {});
    }
    return answer;
  };
}

/** The result for a list of addresses: `requested` is the sum of `duplicates`, `retained` and `excluded`. */
export interface AudienceBreakdown {
  readonly requested: number;
  readonly duplicates: number;
  readonly retained: number;
  readonly excluded: readonly Exclusion[];
}

export async function breakDown(
  target: Target & { readonly to: readonly string[] },
  now: Date,
): Promise<AudienceBreakdown> {
  const { requested, duplicates, streams } = select(target, now);
  const excluded: Exclusion[] = [];
  let retained = 0;
  for (const pages of streams) {
    for await (const page of pages) {
      retained += page.members.length;
      excluded.push(...page.excluded);
    }
  }
  return { requested, duplicates, retained, excluded };
}

/** A breakdown as the API returns it. */
export function shownBreakdown({ requested, duplicates, retained, excluded }: AudienceBreakdown) {
  return {
    requested,
    duplicates,
    retained,
    excluded: excluded.length,
    reasons: countReasons(excluded),
    excluded_addresses: excluded,
  };
}

/**
 * How many people a campaign would reach now: an exact count. For the whole list the index is counted without reading it,
 * and only the members whom the campaign must not reach are looked up.
 */
export async function countAudience(target: Target, now: Date): Promise<number> {
  const { workspaceId, rule, to } = target;
  if (rule === null && to === null) {
    const [members, excluded] = await Promise.all([countMembers(workspaceId), countUnreachable(target)]);
    return Math.max(0, members - excluded);
  }
  const counts = select(target, now).streams.map(async (pages) => {
    let count = 0;
    for await (const { members } of pages) count += members.length;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** How many people a campaign to the whole list, or to a list of addresses, would reach. An empty list counts zero. */
export async function evaluateAudience(
  { workspaceId, now }: Context,
  { to }: Input<typeof evaluateAudienceRoute>,
): Promise<Output<typeof evaluateAudienceRoute>> {
  if (to === undefined) {
    const recipients = await countAudience({ workspaceId, rule: null, to: null }, now);
    return { object: 'audience', recipients, audience: null };
  }
  const audience = shownBreakdown(await breakDown({ workspaceId, rule: null, to }, now));
  return { object: 'audience', recipients: audience.retained, audience };
}
