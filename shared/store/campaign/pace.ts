import * as z from 'zod';
import {
  type AccountRate,
  backlogRate,
  campaignRate,
  leftOfDay,
  longestBacklogMilliseconds,
  paceHorizonMilliseconds,
} from '../../domain/sending/quota.ts';
import type { Change } from '../table/expression.ts';
import { paceKey } from '../table/keys.ts';
import { getItem, type Item } from '../table/table.ts';
import { upsertAnswering, upsertItem } from '../table/write.ts';

/** What all workers of a deployment know of the account's sending rate. */
export interface Pace {
  readonly account: AccountRate;
  /** 1 at full rate; lower after the provider has throttled. */
  readonly factor: number;
  /** Unix milliseconds until which sending slots are taken. */
  readonly until: number;
  readonly readAt: number;
}

/** Times in Unix milliseconds. */
const record = z.object({
  per_second: z.number(),
  per_day: z.number().nullish(),
  sent_in_day: z.number(),
  factor: z.number().default(1),
  factor_at: z.number().optional(),
  until: z.number().default(0),
  /** Until when single emails that wait for SES's rate have slots. */
  backlog_until: z.number().optional(),
  read_at: z.number(),
  asked_at: z.number().optional(),
});

type PaceRecord = z.input<typeof record>;

/** Null before the account was read for the first time. */
export const getPace = async (): Promise<Pace | null> => paceOf(await getItem(paceKey));

/** Null for an item without the account's limits, or for no item. */
export function paceOf(item: Item | null | undefined): Pace | null {
  if (item?.read_at === undefined) return null;
  const { per_second, per_day = null, sent_in_day, factor, until, read_at } = record.parse(item);
  return {
    account: { perSecond: per_second, perDay: per_day, sentInDay: sent_in_day },
    factor,
    until,
    readAt: read_at,
  };
}

/**
 * Claims the call that reads the account's limits, unless another worker has claimed it since `seen` or within
 * `patience` milliseconds: SES allows one such call per second and account.
 */
export async function mayReadAccount(now: number, seen: number | null, patience: number): Promise<boolean> {
  const before = Math.max(seen ?? 0, now - patience);
  const change: Change<PaceRecord> = {
    set: { asked_at: now },
    if: [
      {
        any: [
          ['asked_at', 'absent'],
          ['asked_at', '<', before],
        ],
      },
    ],
  };
  return (await upsertItem<PaceRecord>(paceKey, change)) !== null;
}

export async function putAccountRate(rate: AccountRate, now: number): Promise<void> {
  await upsertItem<PaceRecord>(paceKey, {
    set: { per_second: rate.perSecond, per_day: rate.perDay, sent_in_day: rate.sentInDay, read_at: now },
    setIfAbsent: { factor: 1 },
  });
}

/** When a number of messages may be sent, or how long to wait; `day` when the day's quota is used up. */
export type PaceSlot =
  | { readonly kind: 'taken'; readonly startsAt: number }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'day' };

/** After so many conflicts with other workers it is better to wait for a moment. */
const tries = 10;

/** Campaigns look again after this time while single emails wait. */
const longestYieldMilliseconds = 10_000;

/** No single email waits for SES's rate. */
const noBacklog = (now: number) =>
  ({
    any: [
      ['backlog_until', 'absent'],
      ['backlog_until', '<=', now],
    ],
  }) as const;

/**
 * Reserves time for `count` messages, after those already reserved or from now on: one conditional write, repeated
 * after a conflict. Nothing is reserved beyond the horizon, so that no function waits for long, nor while single emails
 * wait, which go first.
 */
export async function takePaceSlot(pace: Pace, count: number, now: number): Promise<PaceSlot> {
  if (leftOfDay(pace.account) < count) return { kind: 'day' };
  const duration = Math.ceil((count * 1000) / (campaignRate(pace.account.perSecond) * pace.factor));
  const horizon = now + paceHorizonMilliseconds;
  let { until } = pace;
  for (let attempt = 0; attempt < tries && until <= horizon; attempt += 1) {
    const change: Change<PaceRecord> =
      until < now
        ? {
            set: { until: now + duration },
            add: { sent_in_day: count },
            if: [
              {
                any: [
                  ['until', 'absent'],
                  ['until', '<', now],
                ],
              },
              noBacklog(now),
            ],
          }
        : // A range, so that a slot that another worker takes meanwhile does not make it fail.
          { add: { until: duration, sent_in_day: count }, if: [['until', 'between', now, horizon], noBacklog(now)] };
    const { isMade, item } = await upsertAnswering<PaceRecord>(paceKey, change, 'ALL_NEW');
    until = Number(item.until ?? 0);
    if (isMade) return { kind: 'taken', startsAt: until - duration };
    const waiting = Number(item.backlog_until ?? 0) - now;
    if (waiting > 0) return { kind: 'late', waitMilliseconds: Math.min(waiting, longestYieldMilliseconds) };
  }
  return { kind: 'late', waitMilliseconds: Math.max(50, until - now - paceHorizonMilliseconds / 2) };
}

/**
 * Changes the common rate factor, unless another worker changed it since it was read or within `quietMilliseconds`: one
 * throttled moment reduces the rate once, however many calls it affects. True when it was changed.
 */
export async function putFactor(
  seen: number,
  factor: number,
  { now, quietMilliseconds }: { readonly now: number; readonly quietMilliseconds: number },
): Promise<boolean> {
  const change: Change<PaceRecord> = {
    set: { factor, factor_at: now },
    expect: { factor: seen },
    if: [
      {
        any: [
          ['factor_at', 'absent'],
          ['factor_at', '<', now - quietMilliseconds],
        ],
      },
    ],
  };
  return (await upsertItem<PaceRecord>(paceKey, change)) !== null;
}

/** When waiting mail goes out, or how long the backlog is beyond its limit; both with the backlog's end. Unix milliseconds. */
export type BacklogSlot =
  | { readonly kind: 'taken'; readonly startsAt: number; readonly until: number }
  | { readonly kind: 'full'; readonly excessMilliseconds: number; readonly until: number };

/**
 * Reserves time for single mail to `count` recipients, after what waits already or from now on. One conditional write:
 * it also tells when the backlog is full. `seen`: the end of the backlog as last known.
 */
export async function takeBacklogSlot(
  perSecond: number,
  count: number,
  now: number,
  seen: number,
): Promise<BacklogSlot> {
  const duration = Math.ceil((count * 1000) / backlogRate(perSecond));
  const limit = now + longestBacklogMilliseconds;
  let until = seen;
  for (;;) {
    const change: Change<PaceRecord> =
      until <= now
        ? { set: { backlog_until: now + duration }, if: [noBacklog(now)] }
        : { add: { backlog_until: duration }, if: [['backlog_until', 'between', now + 1, limit]] };
    const { isMade, item } = await upsertAnswering<PaceRecord>(paceKey, change, 'ALL_NEW');
    until = Number(item.backlog_until ?? 0);
    if (isMade) return { kind: 'taken', startsAt: until - duration, until };
    if (until > limit) return { kind: 'full', excessMilliseconds: until - limit, until };
  }
}
