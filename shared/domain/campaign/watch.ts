import { createHash } from 'node:crypto';
import { type Campaign, frozenPeople, isForOperator } from './campaign.ts';
import { progressCounts, type Tally } from './report.ts';

/** What the sweeper saw of a campaign at its last look; null values before the first. */
export interface WatchState {
  /** A hash of its outcomes, and when that last changed or the campaign was held back for a known reason. */
  readonly outcomes: string | null;
  readonly movedAt: Date;
  /** A hash of all its counters, and when that last changed. */
  readonly counters: string | null;
  readonly changedAt: Date;
  /** The hash of its counters when a recount last found them exact. */
  readonly recounted: string | null;
  /** Days until the next recount of a sent campaign. */
  readonly days: number;
}

export interface Observation {
  readonly state: WatchState;
  /** True when it should make progress and does not. */
  readonly isStuck: boolean;
  readonly isRecountDue: boolean;
  /** When to look again, unless it is recounted. */
  readonly nextAt: Date;
}

const minute = 60_000;
const day = 86_400_000;
const stillMilliseconds = 2 * minute;
const stuckMilliseconds = 15 * minute;
const heldMilliseconds = 15 * minute;
/** Uncertain outcomes become final after a day at most. */
const longestUncertaintyMilliseconds = day + 30 * minute;
const longestIntervalDays = 32;

/** Tells whether a campaign is stuck, and whether it is time for a recount. */
export function observe(before: WatchState, campaign: Campaign, tally: Tally, now: Date): Observation {
  const { freeze, hold, test, status } = campaign;
  const progress = progressCounts(tally, freeze ? frozenPeople(freeze) : 0);
  const outcomes = hashOf([progress, hold, test?.winner ?? null, test?.decideAt ?? null]);
  const counters = countersOf(tally);
  const isTesting = test?.decideAt ? test.winner === null && now < new Date(test.decideAt) : false;
  const uncertaintyEndsAt = new Date(before.movedAt.getTime() + longestUncertaintyMilliseconds);
  const isUncertain = progress.waiting === 0 && progress.uncertain > 0;
  const mayPause = hold !== null || isTesting;
  const hasMoved = outcomes !== before.outcomes || mayPause;
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
      isRecountDue: !isFirst || isStill || isOverdue,
      nextAt: later(now, stillMilliseconds),
    };
  }
  const idleMilliseconds = now.getTime() - state.movedAt.getTime();
  const isStuck = isUncertain ? now >= uncertaintyEndsAt && !hasMoved : idleMilliseconds >= stuckMilliseconds;
  const nextAt = later(now, hold && isForOperator(hold) ? heldMilliseconds : stillMilliseconds);
  // Counters that a recount found exact are not recounted before they change.
  return { state, isStuck, isRecountDue: isStill && counters !== before.recounted, nextAt };
}

/** The state after a recount. A sent campaign is recounted daily while its counters change, then less and less often. */
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
  // Some counters changed during the recount: there will be less traffic in an hour.
  if (!recount.isExact) return { state: { ...state, counters, changedAt }, nextAt: later(now, 60 * minute) };
  const days = counters === state.recounted ? Math.min(longestIntervalDays, state.days * 2) : 1;
  return { state: { ...state, counters, changedAt, recounted, days }, nextAt: later(now, days * day) };
}

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

const countersOf = (tally: Tally): string =>
  hashOf(
    Object.entries(tally)
      .filter(([, count]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
