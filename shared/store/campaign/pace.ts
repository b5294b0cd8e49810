import * as z from 'zod';
import { type AccountRate, campaignRate, leftOfDay, paceHorizonMilliseconds } from '../../domain/campaign/pace.ts';
import { GetCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
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
  return paceOf(Item);
}

/** Null for an item without a reading of the account, or none at all. */
export const paceOf = (item: Item | undefined): Pace | null =>
  item?.read_at === undefined ? null : record.parse(item);

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

/** As often as others may be quicker before it is better to stay away for a moment. */
const tries = 10;

/**
 * Promises `count` messages from the moment on at which those before them are through, or from now on when they are:
 * one conditional write, another when somebody else was quicker. Nothing is taken beyond the horizon, so that nobody
 * waits inside a function for long.
 */
export async function takePlace(pace: Pace, count: number, now: number): Promise<Place> {
  if (leftOfDay(pace.account) < count) return { kind: 'day' };
  const duration = Math.ceil((count * 1000) / (campaignRate(pace.account.perSecond) * pace.factor));
  const horizon = now + paceHorizonMilliseconds;
  let { until } = pace;
  for (let attempt = 0; attempt < tries && until <= horizon; attempt += 1) {
    const taken = await (until < now ? takeFirst : takeNext)({ now, horizon, duration, count });
    if (taken.startsAt !== undefined) return { kind: 'taken', startsAt: taken.startsAt };
    until = taken.until;
  }
  return { kind: 'late', waitMilliseconds: Math.max(50, until - now - paceHorizonMilliseconds / 2) };
}

interface Wanted {
  readonly now: number;
  readonly horizon: number;
  readonly duration: number;
  readonly count: number;
}

/** Where the place begins, or how far the places of others reach. */
type Taken = { readonly startsAt: number } | { readonly startsAt?: undefined; readonly until: number };

/** A range, so that nobody has to try again because another took a place meanwhile. */
function takeNext({ now, horizon, duration, count }: Wanted): Promise<Taken> {
  return takeUntil(duration, {
    UpdateExpression: 'SET #until = #until + :duration ADD sent_in_day :count',
    ConditionExpression: '#until BETWEEN :now AND :horizon',
    ExpressionAttributeValues: { ':duration': duration, ':count': count, ':now': now, ':horizon': horizon },
  });
}

function takeFirst({ now, duration, count }: Wanted): Promise<Taken> {
  return takeUntil(duration, {
    UpdateExpression: 'SET #until = :end ADD sent_in_day :count',
    ConditionExpression: 'attribute_not_exists(#until) OR #until < :now',
    ExpressionAttributeValues: { ':end': now + duration, ':count': count, ':now': now },
  });
}

async function takeUntil(duration: number, input: Change): Promise<Taken> {
  const answer = await tried({ ...input, ExpressionAttributeNames: { '#until': 'until' } });
  const until = Number(answer.item.until ?? 0);
  return answer.isDone ? { startsAt: until - duration } : { until };
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

interface Change {
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

const change = async (input: Change): Promise<Item | null> => {
  const { isDone, item } = await tried(input);
  return isDone ? item : null;
};

/** The item as it is after the change; as it stands when its condition failed. */
async function tried(input: Change): Promise<{ readonly isDone: boolean; readonly item: Item }> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: paceKey,
    ...input,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    return { isDone: true, item: (await documents.send(update)).Attributes ?? {} };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isDone: false, item: error.Item ?? {} };
  }
}
