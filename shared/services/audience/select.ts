import {
  type Exclusion,
  exclusionReason,
  type RequestedEntry,
  readRequestedList,
} from '../../domain/segment/audience.ts';
import { type RuleSubjects, ruleSubjects } from '../../domain/segment/ruleSubjects.ts';
import { matches, type SegmentRule } from '../../domain/segment/segment.ts';
import {
  type AudienceMember,
  type FoundSubscriber,
  findSubscribers,
  memberPages,
} from '../../store/person/audience.ts';
import { leaversOf } from '../../store/person/leavers.ts';
import { findPlatformSuppressed, platformSuppressedPages } from '../../store/suppression/platformSuppression.ts';

/** Whom a campaign is meant for. */
export interface Target {
  readonly workspaceId: string;
  /** The rule of a segment; null for the whole list. */
  readonly rule: SegmentRule | null;
  /** Addresses as they were written, to which the target is narrowed; null when it is not. */
  readonly to: readonly string[] | null;
  /** The kind of mail (`name:value`) that it is, if the workspace offers it: whoever has left that is not reached. */
  readonly tag?: string | null;
}

interface SelectedPage {
  /** Addresses that a campaign would reach, in canonical form. */
  readonly members: readonly string[];
  /** Addresses of the list that it would not; without a list nobody was asked for, and nobody is named. */
  readonly excluded: readonly Exclusion[];
}

export interface Selection {
  /** Entries of the list: always the duplicates, the members and the exclusions together. 0 without a list. */
  readonly requested: number;
  readonly duplicates: number;
  /**
   * To be read side by side, each once: the 16 shards of the audience, always the same people in the same shard, or the
   * list in its order. A stream reads a page when it is asked for one, and holds no other: a million people need no
   * more memory than sixteen pages, and whoever wants one shard reads one.
   */
  readonly streams: readonly AsyncIterable<SelectedPage>[];
}

/**
 * Who would be reached by a campaign now: the one place that decides it. Of a person only the address is read and what
 * the rule looks at. What changed within the moments by which an index lags behind may be missing.
 */
export function select(target: Target, now: Date): Selection {
  const judge = judgeOf(target, now);
  if (target.to === null) {
    const blocked = once(() => keptFrom(target));
    const shards = memberPages(target.workspaceId, judge.subjects);
    return { requested: 0, duplicates: 0, streams: shards.map((pages) => audiencePages(pages, blocked, judge)) };
  }
  const { requested, duplicates, entries } = readRequestedList(target.to);
  return { requested, duplicates, streams: [listPages(target.workspaceId, entries, judge)] };
}

interface Judge {
  readonly subjects: RuleSubjects;
  isInSegment(member: AudienceMember): boolean;
  hasLeftKind(subscriber: FoundSubscriber): boolean;
}

function judgeOf({ rule, tag = null }: Target, now: Date): Judge {
  return {
    subjects: ruleSubjects(rule),
    isInSegment: rule ? ({ person }) => matches(rule, person, now) : () => true,
    hasLeftKind: ({ leftTags }) => tag !== null && leftTags.includes(tag),
  };
}

async function* audiencePages(
  pages: AsyncIterable<AudienceMember[]>,
  blocked: () => Promise<ReadonlySet<string>>,
  { isInSegment }: Judge,
): AsyncGenerator<SelectedPage> {
  const lookup = blocked();
  for await (const page of pages) {
    const left = await lookup;
    const members = page.filter((member) => !left.has(member.email) && isInSegment(member));
    yield { members: members.map(({ email }) => email), excluded: [] };
  }
}

/** Whom of an audience a campaign is kept from: members whom the platform has suppressed, and whoever left its kind. */
async function keptFrom({ workspaceId, tag }: Target): Promise<Set<string>> {
  const [blocked, leavers] = await Promise.all([blockedMembers(workspaceId), tag ? leaversOf(workspaceId, tag) : []]);
  return new Set([...blocked, ...leavers]);
}

/** As many members as a campaign is kept from: of those who left its kind, each is looked up. */
export async function countKept(target: Target): Promise<number> {
  return (await membersAmong(target.workspaceId, [...(await keptFrom(target))])).length;
}

/**
 * Members whom only the platform has suppressed. Its list is far shorter than an audience, so each of its addresses is
 * looked up in the workspace and not the other way round.
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

/** Twenty batch reads at once; a page of it is read and judged before the next. */
const entriesOfPage = 2000;

async function* listPages(
  workspaceId: string,
  entries: readonly RequestedEntry[],
  judge: Judge,
): AsyncGenerator<SelectedPage> {
  for (let start = 0; start < entries.length; start += entriesOfPage) {
    yield judgeEntries(workspaceId, entries.slice(start, start + entriesOfPage), judge);
  }
}

/** The workspace's items, then the platform's for those over whom they decide: at most one read unit an address. */
async function judgeEntries(
  workspaceId: string,
  entries: readonly RequestedEntry[],
  { subjects, isInSegment, hasLeftKind }: Judge,
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
    const reason = exclusionReason(
      entry,
      own && { ...own, isSuppressed, isInSegment: isInSegment(own), hasLeftKind: hasLeftKind(own) },
    );
    if (reason) excluded.push({ email: entry.email, reason });
    else members.push(entry.email);
  }
  return { members, excluded };
}

/** Reads at the first call, for all calls. A stream that failed before it looked at the answer must not end the process. */
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
