import type { DayCounts } from '../domain/sending/reputation.ts';
import { epochSeconds, secondsInDay } from '../platform/clock.ts';
import { requestedConfirmationsKey, serviceMailKey, usagePartition } from './table/keys.ts';
import { queryAll, type TransactionPart } from './table/table.ts';
import { changePart, upsertItem } from './table/write.ts';

/** Outcomes of the service's own mail (confirmations, copies of stored data), by the day of the report. */
export interface ServiceMailCounts {
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
}

interface ServiceMailRecord extends Partial<ServiceMailCounts> {
  readonly expires_at: number;
}

/** The same as for the days of the workspace's other mail. */
const keptDays = 100;

/** Adds outcomes to a day: a part of a transaction. */
export const serviceMailPart = (
  workspaceId: string,
  day: string,
  counts: Partial<ServiceMailCounts>,
): TransactionPart =>
  changePart<ServiceMailRecord>(serviceMailKey(workspaceId, day), {
    set: { expires_at: epochSeconds(new Date(`${day}T00:00:00Z`)) + keptDays * secondsInDay },
    add: counts,
  });

/** Every day from `since` (`2026-10-22`) on. Messages without an outcome yet do not count as sent. */
export async function listServiceMail(workspaceId: string, since: string): Promise<DayCounts[]> {
  const sort = { from: serviceMailKey(workspaceId, since).sk, to: serviceMailKey(workspaceId, '9999').sk };
  const items = await queryAll({ partition: usagePartition(workspaceId), sort });
  return items.map((item) => {
    const [delivered = 0, bounced = 0, complained = 0] = [item.delivered, item.bounced, item.complained].map((value) =>
      Number(value ?? 0),
    );
    return { date: String(item.sk).split('#')[1] ?? '', sent: delivered + bounced, delivered, bounced, complained };
  });
}

/** How many confirmations API keys have requested in a month, and on each of its days (`d21`). */
interface RequestedRecord {
  readonly month?: number;
  readonly expires_at: number;
  readonly [day: `d${number}`]: number;
}

/** How many confirmations API keys may request: per month, and at least so many on each day. */
export interface ConfirmationBudget {
  readonly perMonth: number;
  readonly leastPerDay: number;
}

/** Counts one confirmation that an API key requests; false when the budget is used up. */
export async function takeRequestedConfirmation(
  workspaceId: string,
  { perMonth, leastPerDay }: ConfirmationBudget,
  now: Date,
): Promise<boolean> {
  const date = now.toISOString();
  const day = `d${date.slice(8, 10)}` as `d${number}`;
  const taken = await upsertItem<RequestedRecord>(requestedConfirmationsKey(workspaceId, date.slice(0, 7)), {
    set: { expires_at: epochSeconds(now) + keptDays * secondsInDay },
    add: [
      ['month', 1],
      [day, 1],
    ],
    if: [
      {
        any: [
          ['month', 'absent'],
          ['month', '<', perMonth],
          [day, 'absent'],
          [day, '<', leastPerDay],
        ],
      },
    ],
  });
  return taken !== null;
}

/** Gives back the budget of a confirmation that was not requested after all. */
export async function returnRequestedConfirmation(workspaceId: string, now: Date): Promise<void> {
  const date = now.toISOString();
  const day = `d${date.slice(8, 10)}` as `d${number}`;
  await upsertItem<RequestedRecord>(requestedConfirmationsKey(workspaceId, date.slice(0, 7)), {
    add: [
      ['month', -1],
      [day, -1],
    ],
  });
}
