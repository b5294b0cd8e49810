import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DayCounts } from '../../domain/sending/reputation.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { dayKey, monthKey, usagePartition } from '../table/keys.ts';
import { batchGet, documents, type Item, queryAll, tableName } from '../table/table.ts';
import { contended } from '../table/transaction.ts';

/** What one send takes from the month: `counted` leaves out the provider's simulator addresses. */
export interface Reservation {
  readonly holderId: string;
  /** `2026-11` and `21`, UTC, of the moment of the reservation. */
  readonly month: string;
  readonly day: string;
  readonly recipients: number;
  readonly counted: number;
  readonly at: Date;
}

export type ReserveResult = { readonly ok: true } | { readonly ok: false; readonly used: number };

const pendingPrefix = 'p#';
const keptMonths = 13;

/**
 * Takes `recipients` from the month's quota if they fit, atomically. The reservation is kept under the holder's id, so
 * that doing it twice (a retry of ours or of the SDK) takes once, and a crash leaves a trace for the sweeper.
 */
export async function reserve(workspaceId: string, limit: number, reservation: Reservation): Promise<ReserveResult> {
  try {
    await contended(() => documents.send(new UpdateCommand(reservationUpdate(workspaceId, limit, reservation))));
    return { ok: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const refused = refusedReservation(reservation, error.Item);
    if (refused) return refused;
    return (await renew(workspaceId, reservation)) ? { ok: true } : reserve(workspaceId, limit, reservation);
  }
}

/** The update behind `reserve`, as a command's input or a part of a transaction. */
export function reservationUpdate(workspaceId: string, limit: number, reservation: Reservation) {
  const { holderId, recipients, counted, at } = reservation;
  return {
    TableName: tableName(),
    Key: monthKey(workspaceId, reservation.month),
    UpdateExpression: 'SET #pending = :pending, expires_at = :expires ADD used :recipients, #day :counted',
    ConditionExpression: 'attribute_not_exists(#pending) AND (attribute_not_exists(used) OR used <= :room)',
    ExpressionAttributeNames: { '#pending': pendingPrefix + holderId, '#day': `d${reservation.day}` },
    ExpressionAttributeValues: {
      ':pending': { recipients, counted, day: reservation.day, at: at.toISOString() },
      ':expires': epochSeconds(at) + keptMonths * 31 * secondsInDay,
      ':recipients': recipients,
      ':counted': counted,
      ':room': limit - recipients,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** Why `reservationUpdate` changed nothing: the quota, or null when the reservation stands already. */
export function refusedReservation(
  { holderId }: Pick<Reservation, 'holderId'>,
  item: Record<string, AttributeValue> | undefined,
): { readonly ok: false; readonly used: number } | null {
  const found = unmarshall(item ?? {});
  return pendingPrefix + holderId in found ? null : { ok: false, used: Number(found.used ?? 0) };
}

/** A resumed send keeps its reservation from the sweeper; false when there is none (any more). */
export async function renew(workspaceId: string, { month, holderId, at }: Reservation): Promise<boolean> {
  return changeReservation({
    Key: monthKey(workspaceId, month),
    UpdateExpression: 'SET #pending.#at = :at',
    ExpressionAttributeNames: { '#pending': pendingPrefix + holderId, '#at': 'at' },
    ExpressionAttributeValues: { ':at': at.toISOString() },
  });
}

/** Closes a reservation whose messages the provider took. Harmless when it is closed already. */
export async function settle(workspaceId: string, month: string, holderId: string): Promise<boolean> {
  return changeReservation({
    Key: monthKey(workspaceId, month),
    UpdateExpression: 'REMOVE #pending',
    ExpressionAttributeNames: { '#pending': pendingPrefix + holderId },
  });
}

/** Closes a reservation and gives back what was not accepted: all of it, or the recipients of refused envelopes. */
export async function giveBack(
  workspaceId: string,
  reservation: Pick<Reservation, 'holderId' | 'month' | 'day' | 'recipients' | 'counted'>,
): Promise<boolean> {
  return changeReservation({
    Key: monthKey(workspaceId, reservation.month),
    UpdateExpression: 'REMOVE #pending ADD used :recipients, #day :counted',
    ExpressionAttributeNames: { '#pending': pendingPrefix + reservation.holderId, '#day': `d${reservation.day}` },
    ExpressionAttributeValues: { ':recipients': -reservation.recipients, ':counted': -reservation.counted },
  });
}

async function changeReservation(input: {
  Key: Record<string, unknown>;
  UpdateExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}): Promise<boolean> {
  try {
    const condition = { TableName: tableName(), ConditionExpression: 'attribute_exists(#pending)' };
    await contended(() => documents.send(new UpdateCommand({ ...input, ...condition })));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The same as a part of a transaction, and only while the reservation is as it was seen (`at`). */
export function giveBackUpdate(workspaceId: string, reservation: Omit<Reservation, 'at'>, seenAt: string) {
  return {
    TableName: tableName(),
    Key: monthKey(workspaceId, reservation.month),
    UpdateExpression: 'REMOVE #pending ADD used :recipients, #day :counted',
    ConditionExpression: '#pending.#at = :at',
    ExpressionAttributeNames: {
      '#pending': pendingPrefix + reservation.holderId,
      '#day': `d${reservation.day}`,
      '#at': 'at',
    },
    ExpressionAttributeValues: {
      ':recipients': -reservation.recipients,
      ':counted': -reservation.counted,
      ':at': seenAt,
    },
  };
}

/** Counts messages whose reservation had been given back before the provider's word came; a part of a transaction. */
export function lateUpdate(workspaceId: string, reservation: Omit<Reservation, 'holderId' | 'at'>) {
  return {
    TableName: tableName(),
    Key: monthKey(workspaceId, reservation.month),
    UpdateExpression: 'ADD used :recipients, #day :counted',
    ExpressionAttributeNames: { '#day': `d${reservation.day}` },
    ExpressionAttributeValues: { ':recipients': reservation.recipients, ':counted': reservation.counted },
  };
}

export interface MonthUsage {
  readonly workspaceId: string;
  readonly month: string;
  readonly used: number;
  readonly pending: readonly (Omit<Reservation, 'month' | 'at'> & { readonly at: string })[];
}

/** A month's usage, strongly consistent; zero when nothing was sent. */
export async function getMonth(workspaceId: string, month: string): Promise<MonthUsage> {
  const [found] = await getMonths([{ workspaceId, month }], { consistent: true });
  return found ?? { workspaceId, month, used: 0, pending: [] };
}

/** Those of the asked months in which something was sent. */
export async function getMonths(
  wanted: readonly { workspaceId: string; month: string }[],
  options = { consistent: false },
): Promise<MonthUsage[]> {
  const items = await batchGet(
    wanted.map(({ workspaceId, month }) => monthKey(workspaceId, month)),
    options,
  );
  return items.map(monthUsageOf);
}

function monthUsageOf(item: Item): MonthUsage {
  const pending = Object.entries(item)
    .filter(([name]) => name.startsWith(pendingPrefix))
    .map(([name, value]) => ({
      holderId: name.slice(pendingPrefix.length),
      ...(value as { recipients: number; counted: number; day: string; at: string }),
    }));
  const [, workspaceId = ''] = String(item.pk).split('#');
  const [, month = ''] = String(item.sk).split('#');
  return { workspaceId, month, used: Number(item.used ?? 0), pending };
}

/** Adds outcomes to the day on which the provider told of them. */
export async function countOutcomes(
  workspaceId: string,
  day: string,
  counts: { delivered?: number; bounced?: number; complained?: number },
): Promise<void> {
  await contended(() => documents.send(new UpdateCommand(outcomeUpdate(workspaceId, day, counts))));
}

/** The same as a part of a transaction. */
export function outcomeUpdate(
  workspaceId: string,
  day: string,
  counts: { delivered?: number; bounced?: number; complained?: number },
) {
  const given = Object.entries(counts).filter(([, count]) => count);
  return {
    TableName: tableName(),
    Key: dayKey(workspaceId, day),
    UpdateExpression: `SET expires_at = :expires ADD ${given.map(([name]) => `${name} :${name}`).join(', ')}`,
    ExpressionAttributeValues: {
      ':expires': epochSeconds(new Date(`${day}T00:00:00Z`)) + 60 * secondsInDay,
      ...Object.fromEntries(given.map(([name, count]) => [`:${name}`, count])),
    },
  };
}

/** Every day from `since` (`2026-10-22`) on, in one query: the days' outcomes and the months' sends. */
export async function listDays(workspaceId: string, since: string): Promise<DayCounts[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': usagePartition(workspaceId),
      ':first': dayKey(workspaceId, since).sk,
      ':last': monthKey(workspaceId, '9999').sk,
    },
  });
  const days = new Map<string, DayCounts>();
  const dayOf = (date: string) => days.get(date) ?? { date, sent: 0, delivered: 0, bounced: 0, complained: 0 };
  for (const item of items) {
    const [kind, date] = String(item.sk).split('#') as [string, string];
    if (kind === 'DAY') days.set(date, { ...dayOf(date), ...outcomesOf(item) });
    else for (const [day, sent] of sentByDay(item, date)) days.set(day, { ...dayOf(day), sent });
  }
  return [...days.values()].filter(({ date }) => date >= since);
}

function outcomesOf(item: Item) {
  return {
    delivered: Number(item.delivered ?? 0),
    bounced: Number(item.bounced ?? 0),
    complained: Number(item.complained ?? 0),
  };
}

function sentByDay(item: Item, month: string): [string, number][] {
  return Object.entries(item)
    .filter(([name]) => /^d\d\d$/.test(name))
    .map(([name, count]) => [`${month}-${name.slice(1)}`, Number(count)]);
}
