import { hash } from 'node:crypto';
import type { TrackingOptions } from '../sending/email.ts';
import type { TemplateVersion } from '../template/template.ts';
import { chunkPositions, slicePositions } from './slice.ts';

/** The record of a campaign. Its content is stored apart, because lists and runners do not need it. */
export interface Campaign {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly preheader: string | null;
  /** As written: an address or `Name <address>`. */
  readonly from: string;
  /** Where answers go, as written; to the sender when there are none. */
  readonly replyTo?: readonly string[] | null;
  readonly kind: CampaignKind;
  readonly status: CampaignStatus;
  readonly segmentId: string | null;
  /** The tag (`name:value`) of its topic: people who left that topic get nothing. */
  readonly tag?: string | null;
  readonly test: AbTest | null;
  /** Tracking of its messages. Options left out follow the workspace at the time of sending. */
  readonly track: TrackingOptions;
  /** The number of edits so far. An edit or a send names the one it saw, and is refused after another edit. */
  readonly revision?: number;
  /** The latest entry of its edits in the audit log: edits that follow soon by the same operator belong to it. */
  readonly noted?: { readonly by: string; readonly at: string } | null;
  /** The template that its content was copied from. */
  readonly template?: TemplateVersion | null;
  /** Null until its recipients are frozen. */
  readonly freeze: Freeze | null;
  /** Why it is held back; null when it is not. */
  readonly hold: Hold | null;
  /** Since when its rate is measured after an interruption, and how many had an outcome by then. */
  readonly measured?: { readonly at: string; readonly done: number } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly scheduledAt: string | null;
  /** Why the last schedule sent nothing, until it is scheduled again or sent. */
  readonly scheduleFailure?: ScheduleFailure | null;
  readonly sentAt: string | null;
}

export interface ScheduleFailure {
  readonly at: string;
  /** The code of the error. */
  readonly code: string;
  /** Its message by language. */
  readonly text: Readonly<Record<string, string>>;
}

export interface AbTest {
  readonly variants: number;
  readonly share: number;
  readonly decideBy: 'opens' | 'clicks';
  readonly waitHours: number;
  /** When the winner is chosen; null until every test message has an outcome. */
  readonly decideAt: string | null;
  readonly winner: number | null;
  /** The results by variant at the time of the decision. */
  readonly results?: readonly VariantResult[] | null;
}

/** The recipients at one moment, in numbered chunks. */
export interface Freeze {
  readonly id: string;
  readonly at: string;
  /** In the order of the chunks. The group that waits for the winner of a test is the last. */
  readonly groups: readonly FrozenGroup[];
  readonly runners: number;
  /** The month whose quota it uses, `2026-11`. */
  readonly month: string;
}

/** Recipients of one variant. All chunks of a group but the last are full. */
export interface FrozenGroup {
  /** Null: the winner of the test. */
  readonly variant: number | null;
  readonly people: number;
}

export const chunksOfGroup = ({ people }: FrozenGroup): number => Math.ceil(people / chunkPositions);

export const frozenPeople = ({ groups }: Freeze): number => groups.reduce((sum, { people }) => sum + people, 0);

/** The number of chunks that may be sent now: without a winner, only those of the test. */
export function openChunks({ freeze, test }: Pick<Campaign, 'freeze' | 'test'>): number {
  const isUndecided = test !== null && test.winner === null;
  const groups = freeze?.groups.filter(({ variant }) => !isUndecided || variant !== null) ?? [];
  return groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);
}

/** The variant and the number of people of a chunk; null for a chunk that does not exist. */
export function chunkInfo({ groups }: Freeze, chunk: number): FrozenGroup | null {
  let first = 0;
  for (const group of groups) {
    const chunks = chunksOfGroup(group);
    if (chunk < first + chunks) {
      const people = Math.min(chunkPositions, group.people - (chunk - first) * chunkPositions);
      return { variant: group.variant, people };
    }
    first += chunks;
  }
  return null;
}

/** The number of people in a slice of a chunk. */
export const sizeOfSlice = (peopleOfChunk: number, slice: number): number =>
  Math.max(0, Math.min(slicePositions, peopleOfChunk - slice * slicePositions));

export const holdReasons = [
  'operator',
  'canceled',
  'sending_held',
  'workspace_suspended',
  'provider_paused',
  'provider_day_used_up',
  'provider_unreachable',
  'provider_refuses',
  'domain_unverified',
  'store_slow',
] as const;
export type HoldReason = (typeof holdReasons)[number];

export interface Hold {
  readonly reason: HoldReason;
  readonly since: string;
  /** The provider's error code. */
  readonly providerCode: string | null;
}

/** True for a hold that only an operator ends. The others end by themselves when their reason has passed. */
export const isForOperator = ({ reason }: Hold): boolean => reason === 'operator' || reason === 'provider_refuses';

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'sent', 'archived'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export const campaignKinds = ['regular', 'ab_test'] as const;
type CampaignKind = (typeof campaignKinds)[number];

/** The allowed changes of status; any other is a conflict. */
const statusChanges: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['sending', 'scheduled', 'archived'],
  scheduled: ['sending', 'draft'],
  sending: ['sent'],
  sent: ['archived'],
  archived: [],
};

export const mayBecome = (from: CampaignStatus, to: CampaignStatus): boolean => statusChanges[from].includes(to);

/** What freezes the recipients: the call that sends a campaign, in 27 seconds, or the worker of its schedule, in 119. */
export type Freezer = 'call' | 'worker';

/** The most that fit into its time and memory (docs/decisions/0024-one-process-freezes.md). A test sorts them twice. */
const mostFrozen: Readonly<Record<Freezer, { readonly plain: number; readonly test: number }>> = {
  call: { plain: 5_000_000, test: 2_500_000 },
  worker: { plain: 10_000_000, test: 5_000_000 },
};

export const mostRecipients = ({ test }: Pick<Campaign, 'test'>, freezer: Freezer): number =>
  mostFrozen[freezer][test ? 'test' : 'plain'];

/** How a test divides the recipients. */
export interface TestPlan {
  readonly campaignId: string;
  readonly variants: number;
  /** The share of the recipients that gets a test message, 0.1 to 0.5. */
  readonly share: number;
}

/** The number of test messages by variant; null when there are fewer people than variants. */
export function testSizes({ variants, share }: Omit<TestPlan, 'campaignId'>, people: number): number[] | null {
  const tested = Math.max(variants, Math.round(people * share));
  if (people < variants) return null;
  return Array.from(
    { length: variants },
    (_, variant) => Math.floor(tested / variants) + (variant < tested % variants ? 1 : 0),
  );
}

/**
 * The variant that each address tests, in the order given; null for those who wait for the winner. Addresses are ranked
 * by a hash, so that the groups have exact sizes and do not depend on the order of the list. Ranks are kept in arrays of
 * numbers: as objects, those of millions of people would not fit into a function.
 */
export function divide(plan: TestPlan, emails: readonly string[]): (number | null)[] | null {
  const sizes = testSizes(plan, emails.length);
  if (!sizes) return null;
  const ranks = BigUint64Array.from(emails, (email) => rankOf(plan.campaignId, email));
  const sorted = ranks.slice().sort();
  const ends = sizes.map((_, variant) => sizes.slice(0, variant + 1).reduce((sum, size) => sum + size, 0));
  const groups = sizes.map((size, variant) => groupOf(sorted, (ends[variant] ?? 0) - size, ends[variant] ?? 0));
  return Array.from(ranks, (rank) => {
    const variant = groups.findIndex((group) => rank < group.last || (rank === group.last && group.ties > 0));
    const group = groups[variant];
    if (!group) return null;
    if (rank === group.last) group.ties -= 1;
    return variant;
  });
}

/** The highest rank of a group, and how many addresses of this rank it holds: the first ones in the order given. */
function groupOf(sorted: BigUint64Array, start: number, end: number): { readonly last: bigint; ties: number } {
  const last = sorted[end - 1] ?? 0n;
  let ties = 0;
  while (end - ties > start && sorted[end - ties - 1] === last) ties += 1;
  return { last, ties };
}

const rankOf = (campaignId: string, email: string): bigint =>
  hash('sha256', `${campaignId}#${email}`, 'buffer').readBigUInt64BE();

/** The result of one variant. `votes` are opens without a relay, or clicks; machines do not count. */
export interface VariantResult {
  readonly delivered: number;
  readonly votes: number;
}

/** The variant with the highest rate of votes; the first one in a tie. */
export function winnerOf(results: readonly VariantResult[]): number {
  const rates = results.map(({ delivered, votes }) => (delivered === 0 ? 0 : votes / delivered));
  return rates.indexOf(Math.max(...rates));
}
