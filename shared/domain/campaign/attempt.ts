import { outcomeOf, type SliceSets } from './slice.ts';

/** One call of the provider for some positions of a slice. Nothing is sent for it after its deadline. */
export interface Attempt {
  readonly id: string;
  readonly positions: ReadonlySet<number>;
  readonly deadline: Date;
}

/** A slice as it is stored. */
export interface Slice {
  /** Rises with each claim: whoever claims on what another has changed since is refused. */
  readonly turn: number;
  readonly sets: SliceSets;
  /** Claimed and not recorded: under way, or their worker died. */
  readonly attempts: readonly Attempt[];
  /** Attempts that some event proves to have run. */
  readonly heard: ReadonlySet<string>;
  /** Marks of the messages that the provider took (`messageMark`): two at one position are one too many. */
  readonly marks: ReadonlySet<number>;
}

/** Positions that may be sent to: nothing is known of them, and no call is at work for them. */
export function openPositions({ sets, attempts }: Slice, size: number): number[] {
  const taken = new Set(attempts.flatMap(({ positions }) => [...positions]));
  return Array.from({ length: size }, (_, position) => position).filter(
    (position) => !taken.has(position) && outcomeOf(sets, position) === 'waiting',
  );
}

/** Attempts whose worker can no longer be at work: what became of their calls is not known. */
export const lostAttempts = ({ attempts }: Slice, now: Date): Attempt[] =>
  attempts.filter(({ deadline }) => deadline.getTime() + gracePeriodMilliseconds <= now.getTime());

/** The longest that a call which began before its deadline can take to be recorded. */
const gracePeriodMilliseconds = 30_000;

/** True when every position has come to an end; what is in doubt has not. */
export const isDone = (slice: Slice, size: number): boolean =>
  slice.attempts.length === 0 &&
  Array.from({ length: size }, (_, position) => outcomeOf(slice.sets, position)).every(
    (outcome) => outcome !== 'waiting',
  );
