import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduleDatabase, ScheduleRow } from './schedules.ts';

const parallelDeliveries = 50;
const longestRetryMilliseconds = 30_000;
const unwrittenWaitMilliseconds = 1000;
/** After a sleep of the machine, or a change of its clock, schedules are checked again within this time. */
const longestWaitMilliseconds = 15_000;

export interface FiringOptions {
  readonly schedules: ScheduleDatabase;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly deliver: (definition: string) => Promise<{ deleteAfterwards: boolean }>;
  readonly logger: Pick<Console, 'error'>;
}

/**
 * Delivers each schedule at its time, at least once: it is marked as done only after the target has accepted it, and is
 * retried after 1, 2, 4… and at most 30 seconds until then.
 */
export function fireSchedules({ schedules, now, deliver, logger }: FiringOptions) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function fire(row: ScheduleRow): Promise<void> {
    try {
      const { deleteAfterwards } = await deliver(row.definition);
      if (deleteAfterwards) schedules.finishAndDelete(row);
      else schedules.finish(row);
    } catch (error) {
      const wait = Math.min(1000 * 2 ** row.attempts, longestRetryMilliseconds);
      logger.error(`The schedule ${row.name} was not delivered, next attempt in ${wait / 1000} s:`, error);
      await postpone(row, wait);
    }
  }

  /** When the disk is full it stays due, and is retried after the wait all the same. */
  async function postpone(row: ScheduleRow, wait: number): Promise<void> {
    try {
      schedules.postpone(row, now() + wait);
    } catch {
      await sleep(unwrittenWaitMilliseconds, undefined, { ref: false });
    }
  }

  async function fireAll(): Promise<void> {
    for (let due = next(); due.length > 0; due = next()) await Promise.all(due.map(fire));
  }

  function next(): ScheduleRow[] {
    return stopped ? [] : schedules.due(now(), parallelDeliveries);
  }

  /** Checks at once, after a change of a schedule or of the clock. */
  function look(): void {
    if (stopped || running) return;
    clearTimeout(timer);
    running = fireAll().finally(() => {
      running = undefined;
      wait();
    });
  }

  function wait(): void {
    if (stopped) return;
    const next = schedules.nextAttemptAt() ?? Number.POSITIVE_INFINITY;
    timer = setTimeout(look, Math.max(0, Math.min(next - now(), longestWaitMilliseconds)));
  }

  look();
  return {
    look,
    isFiring: () => running !== undefined,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
