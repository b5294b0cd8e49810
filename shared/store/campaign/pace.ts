import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type AccountRate, campaignRate, leftOfDay, paceHorizonMilliseconds } from '../../domain/campaign/pace.ts';
import { paceKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** What all workers of a deployment know of the account's rate. */
export interface Pace {
  readonly account: AccountRate;
  /** 1 at full speed; less after the provider has throttled. */
  readonly factor: number;
  /** Unix milliseconds up to which messages are promised. */
  readonly until: number;
  readonly readAt: number;
}

const record = z
  .object({
    per_second: z.number(),
    per_day: z.number().nullish(),
    sent_in_day: z.number(),
    factor: z.number().default(1),
    until: z.number().default(0),
    read_at: z.number(),
  })
  .transform(
    (item): Pace => ({
      account: { perSecond: item.per_second, perDay: item.per_day ?? null, sentInDay: item.sent_in_day },
      factor: item.factor,
      until: item.until,
      readAt: item.read_at,
    }),
  );

/** Null before the account was read for the first time. */
export async function getPace(): Promise<Pace | null> {
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key: paceKey, ConsistentRead: true }));
  return Item?.read_at === undefined ? null : record.parse(Item);
}

/** Takes the right to ask the provider, if nobody did since `seen`: it answers once a second for the whole account. */
export async function mayReadAccount(now: number, seen: number | null, patience: number): Promise<boolean> {
  const answer = await change({
    UpdateExpression: 'SET asked_at = :now',
    ConditionExpression: 'attribute_not_exists(asked_at) OR asked_at < :before',
    ExpressionAttributeValues: { ':now': now, ':before': Math.max(seen ?? 0, now - patience) },
  });
  return answer !== null;
}

export async function putAccountRate(rate: AccountRate, now: number): Promise<void> {
  await change({
    UpdateExpression:
      'SET per_second = :second, per_day = :day, sent_in_day = :sent, read_at = :now, factor = if_not_exists(factor, :one)',
    ExpressionAttributeValues: {
      ':second': rate.perSecond,
      ':day': rate.perDay,
      ':sent': rate.sentInDay,
      ':now': now,
      ':one': 1,
    },
  });
}

/** A place in time for some messages, or how long to stay away; `day` when the day's quota has no room. */
export type Place =
  | { readonly kind: 'taken'; readonly startsAt: number }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'day' };

/**
 * Promises `count` messages from the moment on at which those before them are through: one conditional write, two when
 * nobody has sent for a while. Nothing is taken beyond the horizon, so that nobody waits inside a function for long.
 */
export async function takePlace(pace: Pace, count: number, now: number): Promise<Place> {
  if (leftOfDay(pace.account) < count) return { kind: 'day' };
  const duration = Math.ceil((count * 1000) / (campaignRate(pace.account.perSecond) * pace.factor));
  const values = { ':duration': duration, ':count': count, ':now': now };
  const queued = await change({
    UpdateExpression: 'SET #until = #until + :duration ADD sent_in_day :count',
    ConditionExpression: '#until BETWEEN :now AND :horizon',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ...values, ':horizon': now + paceHorizonMilliseconds },
  });
  if (queued) return { kind: 'taken', startsAt: Number(queued.until) - duration };
  const first = await change({
    UpdateExpression: 'SET #until = :end ADD sent_in_day :count',
    ConditionExpression: 'attribute_not_exists(#until) OR #until < :now',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ':end': now + duration, ':count': count, ':now': now },
  });
  if (first) return { kind: 'taken', startsAt: now };
  const standing = (await getPace())?.until ?? now;
  return { kind: 'late', waitMilliseconds: Math.max(50, standing - now - paceHorizonMilliseconds / 2) };
}

/**
 * Changes the common speed, unless somebody has since it was read, or less than `quietMilliseconds` ago: one throttled
 * moment slows down once, however many calls it meets. True when it was changed.
 */
export async function putFactor(
  seen: number,
  factor: number,
  { now, quietMilliseconds }: { readonly now: number; readonly quietMilliseconds: number },
): Promise<boolean> {
  const answer = await change({
    UpdateExpression: 'SET factor = :factor, factor_at = :now',
    ConditionExpression: 'factor = :seen AND (attribute_not_exists(factor_at) OR factor_at < :before)',
    ExpressionAttributeValues: { ':factor': factor, ':seen': seen, ':now': now, ':before': now - quietMilliseconds },
  });
  return answer !== null;
}

async function change(input: {
  UpdateExpression: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
}): Promise<Item | null> {
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({ TableName: tableName(), Key: paceKey, ...input, ReturnValues: 'ALL_NEW' }),
    );
    return Attributes ?? {};
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}
