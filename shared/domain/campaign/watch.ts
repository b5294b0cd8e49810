import { createHash } from 'node:crypto';
import type { Campaign } from './campaign.ts';
import { frozenPeople, isForOperator } from './campaign.ts';
import { progressCounts } from './report.ts';
import type { Tally } from './tally.ts';

/** What was seen of a campaign by whoever looks after it from time to time. Null before it was looked at. */
export interface WatchState {
  /** A trace of its outcomes, and since when it is the same or something known stood in the way. */
  readonly outcomes: string | null;
  readonly movedAt: Date;
  /** A trace of all counters of its report, and since when it is the same. */
  readonly counters: string | null;
  readonly changedAt: Date;
  /** The trace of its counters when all of them were right. */
  readonly recounted: string | null;
  /** How many days until the next recount of a campaign that was sent. */
  readonly days: number;
}

export interface Observation {
  readonly state: WatchState;
  /** It should go on and does not. */
  readonly isStuck: boolean;
  readonly wantsRecount: boolean;
  /** When to look again if it is not recounted. */
  readonly nextAt: Date;
}

const minute = 60_000;
const day = 86_400_000;
const stillMilliseconds = 2 * minute;
const stuckMilliseconds = 15 * minute;
const heldMilliseconds = 15 * minute;
/** Who is in doubt is so for a day at most. */
const longestDoubtMilliseconds = day + 30 * minute;
const mostDays = 32;

/** What a look at a campaign says: whether it stands still for no reason, and whether it is time to count it anew. */
export function observe(before: WatchState, campaign: Campaign, tally: Tally, now: Date): Observation {
  const { freeze, hold, test, status } = campaign;
  const progress = progressCounts(tally, freeze ? frozenPeople(freeze) : 0);
  const outcomes = traceOf([progress, hold, test?.winner ?? null, test?.decideAt ?? null]);
  const counters = countersOf(tally);
  const isTesting = test?.decideAt ? test.winner === null && now < new Date(test.decideAt) : false;
  const doubtEndsAt = new Date(before.movedAt.getTime() + longestDoubtMilliseconds);
  const isDoubting = progress.waiting === 0 && progress.uncertain > 0;
  const mayStand = hold !== null || isTesting;
  const hasMoved = outcomes !== before.outcomes || mayStand;
  const state = {
    ...before,
    outcomes,
    counters,
    movedAt: hasMoved ? now : before.movedAt,
    changedAt: counters === before.counters ? before.changedAt : now,
  };
  const isStill = now.getTime() - state.changedAt.getTime() >= stillMilliseconds;
  if (status !== 'sending') {
    const isFirst = before.recounted === null;
    const isOverdue = now.getTime() - Date.parse(campaign.sentAt ?? campaign.createdAt) >= day;
    return {
      state,
      isStuck: false,
      wantsRecount: !isFirst || isStill || isOverdue,
      nextAt: later(now, stillMilliseconds),
    };
  }
  const stoodMilliseconds = now.getTime() - state.movedAt.getTime();
  const isStuck = isDoubting ? now >= doubtEndsAt && !hasMoved : stoodMilliseconds >= stuckMilliseconds;
  const nextAt = later(now, hold && isForOperator(hold) ? heldMilliseconds : stillMilliseconds);
  // Counters that were right while it stood still are not counted again before they move.
  return { state, isStuck, wantsRecount: isStill && counters !== before.recounted, nextAt };
}

/** After every counter was counted anew: sent campaigns are counted once a day while opens come, then ever more seldom. */
export function afterRecount(
  state: WatchState,
  status: Campaign['status'],
  recount: { readonly tally: Tally; readonly isExact: boolean },
  now: Date,
): { readonly state: WatchState; readonly nextAt: Date } {
  const counters = countersOf(recount.tally);
  const recounted = recount.isExact ? counters : state.recounted;
  const changedAt = counters === state.counters ? state.changedAt : now;
  if (status === 'sending') {
    return { state: { ...state, counters, changedAt, recounted }, nextAt: later(now, stillMilliseconds) };
  }
  // Some of it moved while it was counted: an hour later less will.
  if (!recount.isExact) return { state: { ...state, counters, changedAt }, nextAt: later(now, 60 * minute) };
  const days = counters === state.recounted ? Math.min(mostDays, state.days * 2) : 1;
  return { state: { ...state, counters, changedAt, recounted, days }, nextAt: later(now, days * day) };
}

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

const countersOf = (tally: Tally): string =>
  traceOf(
    Object.entries(tally)
      .filter(([, count]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const traceOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
