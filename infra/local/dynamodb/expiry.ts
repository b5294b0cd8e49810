import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import { table } from '../../resources.ts';

const itemsPerPage = 250;
const deletesAtOnce = 10;
/** DynamoDB does not delete items that expired longer ago. */
const fiveYearsSeconds = 5 * 365 * 24 * 3600;

/** Matches a number within the bounds, and no other type or missing attribute. */
const isExpired = {
  expression: '#expires BETWEEN :oldest AND :now',
  names: { '#expires': table.timeToLive },
  values: (nowSeconds: number) => ({
    ':oldest': { N: String(nowSeconds - fiveYearsSeconds) },
    ':now': { N: String(nowSeconds) },
  }),
};

export interface ExpiryOptions {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly logger?: Pick<Console, 'error'>;
  readonly everySeconds?: number;
  /** Without pauses, for the clock, which waits for it. */
  readonly isHurried?: boolean;
}

/**
 * DynamoDB's time to live, for an engine that accepts the setting and deletes nothing. Sweeps every ten minutes: every
 * read checks the time itself, so that nothing depends on it.
 */
export function expireItems(options: ExpiryOptions): { stop(): Promise<void> } {
  const { everySeconds = 600, logger = console } = options;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(everySeconds * 1000, undefined, { signal: stopping.signal, ref: false });
      await sweepExpired(options, stopping.signal).catch((error) => {
        if (!stopping.signal.aborted) logger.error('Expired items could not be deleted:', error);
      });
    }
  }

  const running = run().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Deletes expired items and answers their number. Reads keys only, in small pages, and pauses ten times as long as each
 * page took, so that it takes a tenth of the engine's time at most.
 */
export async function sweepExpired(options: ExpiryOptions, signal?: AbortSignal): Promise<number> {
  const { dynamodb, tableName, now = nowMilliseconds } = options;
  let deleted = 0;
  let start: Record<string, AttributeValue> | undefined;
  do {
    const startedAt = performance.now();
    const nowSeconds = Math.floor(now() / 1000);
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        Limit: itemsPerPage,
        ProjectionExpression: '#pk, #sk',
        FilterExpression: isExpired.expression,
        ExpressionAttributeNames: { '#pk': table.partitionKey, '#sk': table.sortKey, ...isExpired.names },
        ExpressionAttributeValues: isExpired.values(nowSeconds),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    deleted += await deleteAll(options, page.Items ?? [], nowSeconds);
    start = page.LastEvaluatedKey;
    if (start && !options.isHurried)
      await sleep((performance.now() - startedAt) * 10, undefined, signal && { signal, ref: false });
  } while (start);
  return deleted;
}

async function deleteAll(options: ExpiryOptions, keys: Record<string, AttributeValue>[], nowSeconds: number) {
  let deleted = 0;
  for (let start = 0; start < keys.length; start += deletesAtOnce) {
    const outcomes = await Promise.all(
      keys.slice(start, start + deletesAtOnce).map((key) => deleteExpired(options, key, nowSeconds)),
    );
    deleted += outcomes.filter(Boolean).length;
  }
  return deleted;
}

/** The condition keeps an item whose time was extended since it was read. */
async function deleteExpired(options: ExpiryOptions, key: Record<string, AttributeValue>, nowSeconds: number) {
  try {
    await options.dynamodb.send(
      new DeleteItemCommand({
        TableName: options.tableName,
        Key: key,
        ConditionExpression: isExpired.expression,
        ExpressionAttributeNames: isExpired.names,
        ExpressionAttributeValues: isExpired.values(nowSeconds),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
