import { shardOf } from '../encoding.ts';

/** A chunk holds 500 positions of the frozen list. The outcome of each is stored in its slice of 50. */
export const chunkPositions = 500;
export const slicePositions = 50;
export const slicesOfChunk = chunkPositions / slicePositions;

/** Why a frozen recipient got no message. */
export const skipReasons = [
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'left_kind',
  'frequency_cap',
  'gone',
  'canceled',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Filters of a list of recipients: an outcome, a reason for skipping, or an event. */
export const recipientFilters = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'skipped',
  ...skipReasons.map((reason) => `skip.${reason}` as const),
  'failed',
  'uncertain',
  'waiting',
] as const;
export type RecipientFilter = (typeof recipientFilters)[number];

/** The timeline has windows of 6 hours, counted from each person's own send. Later events go to one more window, not shown. */
export const windowHours = 6;
export const shownWindows = 8;
export const windowOf = (sentAt: Date, at: Date): number =>
  Math.min(shownWindows, Math.max(0, Math.floor((at.getTime() - sentAt.getTime()) / (windowHours * 3_600_000))));

/** This many links of a message are counted one by one; a click on any other counts as a click only. */
export const countedLinks = 100;

/** What happened to the people of a slice, as sets of positions (0 to 49). Adding is idempotent and in any order. */
export type SliceSets = Readonly<Partial<Record<SetName, ReadonlySet<number>>>>;
export type SetName =
  | 'accepted'
  | 'failed'
  /** A call was made for it whose outcome is unknown. */
  | 'uncertain'
  | `skip.${SkipReason}`
  /** An address of the provider's simulator, which counts in no rate of the workspace. */
  | 'simulated'
  | 'delivered'
  | 'bounced'
  | 'complained'
  | 'unsubscribed'
  | `open.${number}`
  /** Opened through a privacy relay. */
  | 'relayed'
  | `click.${number}`
  | `link.${number}`
  /** Met this many transient errors of the provider. */
  | `retry.${number}`
  /** Opened with this device, system and client. */
  | `agent.${string}`
  /** The former format of opens: a set for each of the three. */
  | `${BreakdownName}.${string}`;

export const breakdowns = ['device', 'os', 'client'] as const;
export type BreakdownName = (typeof breakdowns)[number];
/** The device and software of an open, by the labels of a report. */
export type ReadingAgent = Readonly<Record<BreakdownName, string>>;

const agentPrefix = 'agent.';
/** A separator that no label contains. */
const betweenLabels = '|';
export const agentSet = (agent: ReadingAgent): SetName =>
  `${agentPrefix}${breakdowns.map((name) => agent[name]).join(betweenLabels)}`;

/**
 * The labels with which each position opened without a relay. Of several opens that were reported at the same time, one
 * counts with all its labels: the first in the order of their names, so that every count finds the same.
 */
export function agentsOf(sets: SliceSets): ReadonlyMap<number, Partial<ReadingAgent>> {
  const agents = new Map<number, Partial<ReadingAgent>>();
  const names = Object.keys(sets).sort() as SetName[];
  for (const name of names.filter((one) => one.startsWith(agentPrefix))) {
    const [device, os, client] = name.slice(agentPrefix.length).split(betweenLabels);
    const agent = { device, os, client } as ReadingAgent;
    for (const position of setOf(sets, name)) if (!agents.has(position)) agents.set(position, agent);
  }
  const whole = new Set(agents.keys());
  for (const breakdown of breakdowns) {
    for (const name of names.filter((one) => one.startsWith(`${breakdown}.`))) {
      const label = name.slice(breakdown.length + 1);
      for (const position of setOf(sets, name)) {
        if (!whole.has(position)) agents.set(position, { [breakdown]: label, ...agents.get(position) });
      }
    }
  }
  return agents;
}

/** After this many transient errors, a position has failed. */
export const countedRetries = 3;

/** The outcome of a position; exactly one at any time. */
export type SliceOutcome = 'sent' | 'failed' | 'uncertain' | 'skipped' | 'waiting';

const noPositions: ReadonlySet<number> = new Set();
export const setOf = (sets: SliceSets, name: SetName): ReadonlySet<number> => sets[name] ?? noPositions;

const skipNames = skipReasons.map((reason) => `skip.${reason}` as const);

/** A later event overrules the answer to the call: a delivered message was sent, a dropped one was not. */
export function outcomeOf(sets: SliceSets, position: number): SliceOutcome {
  const isIn = (name: SetName) => setOf(sets, name).has(position);
  if (isIn('delivered') || isIn('bounced') || isIn('complained')) return 'sent';
  if (isIn('failed')) return 'failed';
  if (isIn('accepted')) return 'sent';
  if (skipNames.some(isIn)) return 'skipped';
  return isIn('uncertain') ? 'uncertain' : 'waiting';
}

/** One call of the provider for some positions of a slice. It sends nothing after its deadline. */
export interface CallAttempt {
  readonly id: string;
  readonly positions: ReadonlySet<number>;
  readonly deadline: Date;
}

/** A slice as it is stored. */
export interface Slice {
  /** Rises with each claim. A claim names the version it read, and is refused after another claim. */
  readonly version: number;
  /** When it was begun (UTC, `2026-11-21`): its messages count on that day. Null before, and in one of an earlier release. */
  readonly day: string | null;
  readonly sets: SliceSets;
  /** Claimed and not recorded yet: in flight, or their process crashed. */
  readonly attempts: readonly CallAttempt[];
  /** Ids of attempts that an event proves to have run. */
  readonly provenAttempts: ReadonlySet<string>;
  /** Of accepted messages (see `messageMarker`). Two at one position mean that a person got two messages. */
  readonly messageMarkers: ReadonlySet<number>;
}

/** Positions that may be sent to: without an outcome, and in no attempt. */
export function openPositions({ sets, attempts }: Slice, size: number): number[] {
  const taken = new Set(attempts.flatMap(({ positions }) => [...positions]));
  return Array.from({ length: size }, (_, position) => position).filter(
    (position) => !taken.has(position) && outcomeOf(sets, position) === 'waiting',
  );
}

/** Attempts whose process must have crashed: the outcome of their call is unknown. */
export const lostAttempts = ({ attempts }: Slice, now: Date): CallAttempt[] =>
  attempts.filter(({ deadline }) => deadline.getTime() + gracePeriodMilliseconds <= now.getTime());

/** The longest time from an attempt's deadline to its record. */
const gracePeriodMilliseconds = 30_000;

/** True when every position of an attempt has an outcome: nothing about it is unknown. */
export const isComplete = ({ positions }: CallAttempt, { sets }: Pick<Slice, 'sets'>): boolean =>
  [...positions].every((position) => !['waiting', 'uncertain'].includes(outcomeOf(sets, position)));

/** True when every position has an outcome and no attempt is open. */
export const isDone = (slice: Slice, size: number): boolean =>
  slice.attempts.length === 0 &&
  Array.from({ length: size }, (_, position) => outcomeOf(slice.sets, position)).every(
    (outcome) => outcome !== 'waiting',
  );

/**
 * Two messages at one position get the same marker in one of 200 cases. A call that was made twice affects up to 50
 * positions.
 */
const markersOfPosition = 200;

/**
 * A number below 10,000 from a position and a hash of the provider's message id. It tells whether a position got two
 * messages, without storing 50 ids in a slice.
 */
export const messageMarker = (position: number, messageId: string): number =>
  position * markersOfPosition + shardOf(messageId, markersOfPosition);

/** Positions of `added` that have markers of two different messages. */
export function doubledPositions(known: ReadonlySet<number>, added: ReadonlySet<number>): number[] {
  const messageMarkers = new Set([...known, ...added]);
  const positionOf = (marker: number) => Math.floor(marker / markersOfPosition);
  const counts = Map.groupBy(messageMarkers, positionOf);
  const named = new Set([...added].map(positionOf));
  return [...named].filter((position) => (counts.get(position)?.length ?? 0) > 1).sort((a, b) => a - b);
}
