/** People of a chunk, and of one of its slices: a slice is the record of truth of 50 positions. */
export const chunkPositions = 500;
export const slicePositions = 50;
export const slicesOfChunk = chunkPositions / slicePositions;

/** Why somebody who was frozen into a campaign got nothing. */
export const skipReasons = [
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'left_kind',
  'gone',
  'canceled',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Windows of the timeline in hours, from each person's own send; what comes later is in the last, which is not shown. */
export const windowHours = 6;
export const shownWindows = 8;
export const windowOf = (sentAt: Date, at: Date): number =>
  Math.min(shownWindows, Math.max(0, Math.floor((at.getTime() - sentAt.getTime()) / (windowHours * 3_600_000))));

/** Links that are counted on their own; the others only make a click. */
export const countedLinks = 100;

/**
 * What became of the people of a slice, as sets of their positions (0 to 49) by name. To add a position again changes
 * nothing, so that events may come twice and in any order.
 */
export type SliceSets = Readonly<Partial<Record<SetName, ReadonlySet<number>>>>;
export type SetName =
  | 'accepted'
  | 'failed'
  /** Tried, and a day later nobody knows. */
  | 'uncertain'
  | `skip.${SkipReason}`
  | 'delivered'
  | 'bounced'
  | 'complained'
  | 'unsubscribed'
  | `open.${number}`
  /** Opened through a privacy relay. */
  | 'relayed'
  | `click.${number}`
  | `link.${number}`
  /** The provider had trouble with them so many times. */
  | `retry.${number}`
  | `${'device' | 'os' | 'client'}.${string}`;

export const breakdowns = ['device', 'os', 'client'] as const;
export type BreakdownName = (typeof breakdowns)[number];

/** After so many troubles of the provider with one person, it fails for them. */
export const countedRetries = 3;

/** What each position of a slice has come to; exactly one at every moment. */
export type SliceOutcome = 'sent' | 'failed' | 'uncertain' | 'skipped' | 'waiting';

const nobody: ReadonlySet<number> = new Set();
export const setOf = (sets: SliceSets, name: SetName): ReadonlySet<number> => sets[name] ?? nobody;

const skipNames = skipReasons.map((reason) => `skip.${reason}` as const);

/**
 * The provider's late word counts: what was delivered was sent, whatever was believed before; what it dropped after it
 * had taken it was not.
 */
export function outcomeOf(sets: SliceSets, position: number): SliceOutcome {
  const isIn = (name: SetName) => setOf(sets, name).has(position);
  if (isIn('delivered') || isIn('bounced') || isIn('complained')) return 'sent';
  if (isIn('failed')) return 'failed';
  if (isIn('accepted')) return 'sent';
  if (skipNames.some(isIn)) return 'skipped';
  return isIn('uncertain') ? 'uncertain' : 'waiting';
}
