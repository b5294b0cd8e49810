import * as z from 'zod';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { WatchState } from '../../domain/campaign/watch.ts';
import { shardOf } from '../../domain/encoding.ts';
import { addSeconds } from '../../platform/clock.ts';
import { batchGet } from '../table/batches.ts';
import { dueWatchPartition, dueWatchShards, watchKey } from '../table/keys.ts';
import { type Item, keyOfItem, queryEach, type TransactionPart } from '../table/table.ts';
import { changeItem, changePart } from '../table/write.ts';

const record = z.object({
  workspace_id: z.string(),
  campaign_id: z.string(),
  due_pk: z.string().optional(),
  due_sk: z.string(),
  outcomes: z.string().nullish(),
  moved_at: z.string().nullish(),
  counters: z.string().nullish(),
  changed_at: z.string().nullish(),
  recounted: z.string().nullish(),
  days: z.number().default(1),
  recount_shard: z.number().optional(),
  recount_moving: z.boolean().default(false),
  expires_at: z.number(),
});

type WatchRecord = z.input<typeof record>;

/** The sweeper's record of a campaign that it watches. */
export interface Watch {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly dueAt: string;
  readonly state: WatchState;
  /** The state of an interrupted recount. */
  readonly recount: { readonly nextShard: number; readonly isExact: boolean } | null;
  /** Seconds since the epoch at which the recipients' outcomes begin to expire. */
  readonly expiresAt: number;
}

const firstCheckSeconds = 120;

/** Has the sweeper watch a campaign: a part of the transactions that start and end it. */
export const watchPart = ({ workspaceId, id }: Campaign, at: Date, expiresAt: number): TransactionPart =>
  changePart<WatchRecord>(watchKey(workspaceId, id), {
    set: {
      ...{ workspace_id: workspaceId, campaign_id: id, due_pk: dueWatchPartition(shardOf(id, dueWatchShards)) },
      due_sk: addSeconds(at, firstCheckSeconds).toISOString(),
    },
    setIfAbsent: { expires_at: expiresAt },
  });

/** A campaign to check. `read` throws if its record is invalid, so that the others can still be read. */
export interface DueWatch {
  readonly workspaceId: string;
  read(): Watch;
}

/** Campaigns to check by now, the longest overdue first: a few empty queries when there is none. */
export async function listDueWatches(now: Date, limitOfShard: number): Promise<DueWatch[]> {
  const partitions = Array.from({ length: dueWatchShards }, (_, shard) => dueWatchPartition(shard));
  const query = { index: 'due', sort: { upTo: now.toISOString() }, limit: limitOfShard } as const;
  const items = await batchGet((await queryEach(partitions, query)).map(keyOfItem), { consistent: true });
  const due = items.filter((item) => item.due_sk !== undefined);
  return due
    .sort((a, b) => (String(a.due_sk) < String(b.due_sk) ? -1 : 1))
    .map((item) => ({ workspaceId: String(item.workspace_id), read: () => watchOf(item) }));
}

/** The result of a check. */
export interface CheckResult {
  readonly state: WatchState;
  readonly recount: Watch['recount'];
  /** Null: it is not watched any more. */
  readonly nextAt: Date | null;
}

/** Stores the result of a check; null when another process checked it meanwhile, or when this was the last check. */
export async function putCheckResult(watch: Watch, { state, recount, nextAt }: CheckResult): Promise<Watch | null> {
  const item = await changeItem<WatchRecord>(watchKey(watch.workspaceId, watch.campaignId), {
    set: {
      ...recordOfState(state),
      ...(recount && { recount_shard: recount.nextShard, recount_moving: !recount.isExact }),
      ...(nextAt && { due_sk: nextAt.toISOString() }),
    },
    remove: [
      ...(recount ? [] : (['recount_shard', 'recount_moving'] as const)),
      ...(nextAt ? [] : (['due_pk', 'due_sk'] as const)),
    ],
    expect: { due_sk: watch.dueAt },
  });
  return item && nextAt && watchOf(item);
}

function watchOf(item: Item): Watch {
  const read = record.parse(item);
  // The first check: the watch starts at the time at which it was due.
  const [movedAt, changedAt] = [read.moved_at, read.changed_at].map((at) => new Date(at ?? read.due_sk));
  return {
    workspaceId: read.workspace_id,
    campaignId: read.campaign_id,
    dueAt: read.due_sk,
    state: {
      outcomes: read.outcomes ?? null,
      movedAt: movedAt ?? new Date(read.due_sk),
      counters: read.counters ?? null,
      changedAt: changedAt ?? new Date(read.due_sk),
      recounted: read.recounted ?? null,
      days: read.days,
    },
    recount: read.recount_shard === undefined ? null : { nextShard: read.recount_shard, isExact: !read.recount_moving },
    expiresAt: read.expires_at,
  };
}

/** Null values are left as they are stored. */
const recordOfState = ({ outcomes, movedAt, counters, changedAt, recounted, days }: WatchState) => ({
  outcomes: outcomes ?? undefined,
  moved_at: movedAt.toISOString(),
  counters: counters ?? undefined,
  changed_at: changedAt.toISOString(),
  recounted: recounted ?? undefined,
  days,
});
