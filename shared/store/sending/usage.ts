import { dateOf, type Minute, minuteOf, settlesAt } from '../../domain/sending/minute.ts';
import { QueryCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { dueUsagePartition, dueUsageShards, monthKey } from '../table/keys.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';

/**
 * The item of a month. `used` is what its sends, campaigns included, have taken of the quota. For each minute that is
 * not settled it holds how much of that the minute's single emails took: a handful of numbers, however many are in
 * flight. See docs/decisions/0002-one-table.md.
 */
export interface MonthUsage extends MonthPosition {
  readonly used: number;
  /** What is not settled yet, the oldest first. */
  readonly minutes: readonly MinuteUsage[];
  /** The minute that the latest reservation named. */
  readonly lastMinute: Minute | undefined;
  /** Sent and delivered by the day of the send; an unsettled minute's sends pass for delivered. */
  readonly days: readonly { readonly date: string; readonly sent: number; readonly delivered: number }[];
  /** Open reservations as the release before kept them. */
  readonly former: readonly FormerReservation[];
}

interface MinuteUsage {
  readonly minute: Minute;
  /** Taken from the quota. */
  readonly recipients: number;
  /** Taken into the day's sent: without the provider's simulator, with the service's own mail. */
  readonly counted: number;
}

export interface FormerReservation {
  readonly holderId: string;
  readonly recipients: number;
  readonly counted: number;
  readonly day: string;
  readonly at: string;
}

/** Names of attributes: by minute, by day of the month, and by the holder of a former reservation. */
export const minuteRecipientsName = (minute: Minute): string => `t${minute}`;
export const minuteCountedName = (minute: Minute): string => `c${minute}`;
export const daySentName = (date: string): string => `d${date.slice(8, 10)}`;
export const dayDeliveredName = (date: string): string => `v${date.slice(8, 10)}`;
export const formerName = (holderId: string): string => `p#${holderId}`;

/** A month's usage, strongly consistent; zero when nothing was sent. */
export async function getMonth(workspaceId: string, month: string): Promise<MonthUsage> {
  const [item] = await batchGet([monthKey(workspaceId, month)], { consistent: true });
  return monthUsageOf(item ?? monthKey(workspaceId, month));
}

/** How much of a month's quota is used, strongly consistent. */
export async function getUsed(workspaceId: string, month: string): Promise<number> {
  const [item] = await batchGet([monthKey(workspaceId, month)], { consistent: true });
  return Number(item?.used ?? 0);
}

/** Those of the asked months in which something was sent. */
export async function getMonths(
  wanted: readonly { readonly workspaceId: string; readonly month: string }[],
): Promise<MonthUsage[]> {
  const items = await batchGet(
    wanted.map(({ workspaceId, month }) => monthKey(workspaceId, month)),
    { consistent: false },
  );
  return items.map(monthUsageOf);
}

export interface MonthPosition {
  readonly workspaceId: string;
  readonly month: string;
}

/** Months with minutes that may be settled by `now`, the longest overdue first: a few empty queries when there are none. */
export const listDueMonths = (now: Date, limitOfShard: number): Promise<MonthPosition[]> =>
  listMonths('due_sk <= :at', now, limitOfShard);

/** Months whose next settlement is later than any right clock has put it: they may have minutes that are due. */
export const listMonthsAhead = (now: Date, limitOfShard: number): Promise<MonthPosition[]> =>
  listMonths('due_sk > :at', latestSettlement(now), limitOfShard);

/** When the latest minute is settled that a sender with the right time may have begun by now; one of tolerance. */
export const latestSettlement = (now: Date): Date => settlesAt(minuteOf(now) + 1);

async function listMonths(condition: string, at: Date, limitOfShard: number): Promise<MonthPosition[]> {
  const pages = await Promise.all(
    Array.from({ length: dueUsageShards }, (_, shard) =>
      documents.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: 'due',
          KeyConditionExpression: `due_pk = :pk AND ${condition}`,
          ExpressionAttributeValues: { ':pk': dueUsagePartition(shard), ':at': at.toISOString() },
          Limit: limitOfShard,
        }),
      ),
    ),
  );
  return pages.flatMap(({ Items = [] }) => Items).map(positionOf);
}

/** Looked at again at `until`, if it still has something to settle. */
export async function putOffMonth({ workspaceId, month }: MonthPosition, until: Date): Promise<void> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: monthKey(workspaceId, month),
    UpdateExpression: 'SET due_sk = :until',
    ConditionExpression: 'attribute_exists(due_pk)',
    ExpressionAttributeValues: { ':until': until.toISOString() },
  });
  await conditionHolds(() => documents.send(update));
}

function positionOf(item: Item): MonthPosition {
  const [, workspaceId = ''] = String(item.pk).split('#');
  const [, month = ''] = String(item.sk).split('#');
  return { workspaceId, month };
}

export function monthUsageOf(item: Item): MonthUsage {
  const position = positionOf(item);
  const numbers = (pattern: RegExp) =>
    Object.entries(item).flatMap(([name, value]) => {
      const key = pattern.exec(name)?.[1];
      return key === undefined ? [] : ([[key, Number(value)]] as const);
    });
  const counted = new Map(numbers(/^c(\d+)$/));
  const minutes = numbers(/^t(\d+)$/)
    .map(([minute, recipients]) => ({ minute: Number(minute), recipients, counted: counted.get(minute) ?? 0 }))
    .sort((a, b) => a.minute - b.minute);
  return {
    ...position,
    used: Number(item.used ?? 0),
    minutes,
    lastMinute: item.last_minute as Minute | undefined,
    days: [
      ...numbers(/^d(\d\d)$/).map(([day, sent]) => ({ date: `${position.month}-${day}`, sent, delivered: 0 })),
      ...numbers(/^v(\d\d)$/).map(([day, delivered]) => ({ date: `${position.month}-${day}`, sent: 0, delivered })),
      ...minutes.map(({ minute, counted: delivered }) => ({ date: dateOf(minute), sent: 0, delivered })),
    ],
    former: formerOf(item),
  };
}

function formerOf(item: Item): FormerReservation[] {
  const prefix = formerName('');
  return Object.entries(item)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => ({
      holderId: name.slice(prefix.length),
      ...(value as Omit<FormerReservation, 'holderId'>),
    }));
}
