import * as z from 'zod';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { WatchState } from '../../domain/campaign/watch.ts';
import { shardOf } from '../../domain/encoding/shard.ts';
import { addSeconds } from '../../platform/clock.ts';
import { QueryCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { dueWatchPartition, dueWatchShards, watchKey } from '../table/keys.ts';
import { batchGet, documents, type Item, type TransactionPart, tableName } from '../table/table.ts';

/** What the sweeper knows of a campaign that it looks after. */
export interface Watch {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly dueAt: string;
  readonly state: WatchState;
  /** How far a recount came that was interrupted. */
  readonly recount: { readonly nextShard: number; readonly isExact: boolean } | null;
  /** Seconds since the epoch at which what became of its people begins to expire. */
  readonly expiresAt: number;
}

const firstLookSeconds = 120;

/** Has a campaign looked after from soon on: a part of the transactions that start and end it. */
export function watchPart({ workspaceId, id }: Campaign, at: Date, expiresAt: number): TransactionPart {
  const dueAt = addSeconds(at, firstLookSeconds).toISOString();
  return {
    Update: {
      TableName: tableName(),
      Key: watchKey(workspaceId, id),
      UpdateExpression:
        'SET workspace_id = :workspace, campaign_id = :campaign, due_pk = :pk, due_sk = :sk, expires_at = if_not_exists(expires_at, :expires)',
      ExpressionAttributeValues: {
        ':workspace': workspaceId,
        ':campaign': id,
        ':pk': dueWatchPartition(shardOf(id, dueWatchShards)),
        ':sk': dueAt,
        ':expires': expiresAt,
      },
    },
  };
}

/** One that is to be looked at. `read` throws what is wrong with it: the others can be read all the same. */
export interface DueWatch {
  readonly workspaceId: string;
  read(): Watch;
}

/** Campaigns that are to be looked at by now, the longest waiting first: a few empty queries when there is none. */
export async function listDueWatches(now: Date, limitOfShard: number): Promise<DueWatch[]> {
  const pages = await Promise.all(
    Array.from({ length: dueWatchShards }, (_, shard) =>
      documents.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: 'due',
          KeyConditionExpression: 'due_pk = :pk AND due_sk <= :now',
          ExpressionAttributeValues: { ':pk': dueWatchPartition(shard), ':now': now.toISOString() },
          Limit: limitOfShard,
        }),
      ),
    ),
  );
  const keys = pages.flatMap(({ Items = [] }) => Items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
  const items = await batchGet(keys, { consistent: true });
  const due = items.filter((item) => item.due_sk !== undefined);
  return due
    .sort((a, b) => (String(a.due_sk) < String(b.due_sk) ? -1 : 1))
    .map((item) => ({ workspaceId: String(item.workspace_id), read: () => watchOf(item) }));
}

/** What is to be kept of a look. */
export interface Look {
  readonly state: WatchState;
  readonly recount: Watch['recount'];
  /** Null: it is not looked after any more. */
  readonly nextAt: Date | null;
}

/** Notes a look; null when another had it meanwhile. */
export async function putLook(watch: Watch, { state, recount, nextAt }: Look): Promise<Watch | null> {
  const set = {
    ...itemOfState(state),
    ...(recount && itemOfRecount(recount)),
    ...(nextAt && { due_sk: nextAt.toISOString() }),
  };
  const item = await changeItem<Item>(watchKey(watch.workspaceId, watch.campaignId), {
    set,
    remove: [...(recount ? [] : ['recount_shard', 'recount_moving']), ...(nextAt ? [] : ['due_pk', 'due_sk'])],
    expect: { due_sk: watch.dueAt },
  });
  return item && nextAt && watchOf(item);
}

const record = z.object({
  workspace_id: z.string(),
  campaign_id: z.string(),
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

function watchOf(item: Item): Watch {
  const read = record.parse(item);
  // Not looked at before: it has stood since it was to be looked at for the first time.
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

const itemOfState = ({ outcomes, movedAt, counters, changedAt, recounted, days }: WatchState): Item => ({
  ...(outcomes === null ? {} : { outcomes }),
  moved_at: movedAt.toISOString(),
  ...(counters === null ? {} : { counters }),
  changed_at: changedAt.toISOString(),
  ...(recounted === null ? {} : { recounted }),
  days,
});

const itemOfRecount = ({ nextShard, isExact }: NonNullable<Watch['recount']>): Item => ({
  recount_shard: nextShard,
  recount_moving: !isExact,
});
