import { randomUUID } from 'node:crypto';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '../dynamodb/commands.ts';
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '../dynamodb/errors.ts';
import { documents, type TransactionPart } from './table.ts';

/**
 * Writes every part or none. Null when they are written; else, part by part, whose condition failed. Conflicts are not
 * the caller's: they are waited out. One part alone is written without a transaction, which would cost double: its
 * condition may have failed for what it wrote itself, when the answer was lost and the client asked again (`decide`).
 */
export async function transact(parts: readonly TransactionPart[]): Promise<readonly CancellationReason[] | null> {
  return settled(writer(parts));
}

/**
 * One write that somebody is told the outcome of, or that nobody does for a second time: true when it was made, false
 * when its condition failed for somebody else's doing. A transaction, at double the units: DynamoDB knows it again by its
 * token when it is asked a second time, and a single write would be refused by what it wrote itself.
 */
export async function decide(part: TransactionPart): Promise<boolean> {
  return (await settled(inTransaction([part]))) === null;
}

async function settled(write: () => Promise<unknown>): Promise<readonly CancellationReason[] | null> {
  return contended(async () => {
    try {
      await write();
      return null;
    } catch (error) {
      const reasons = reasonsOf(error);
      if (reasons.some(isFailedCondition)) return reasons;
      throw error;
    }
  });
}

/**
 * A single write that may meet a transaction on its item: done again until it does not. One that is throttled is not:
 * the client has tried it four times, and more on top would drain its quota of retries for all others.
 */
export async function contended<T>(write: () => Promise<T>): Promise<T> {
  return untilSettled(async () => {
    try {
      return await write();
    } catch (error) {
      if (isConflict(error)) return overtaken;
      throw error;
    }
  });
}

export const isFailedCondition = (reason: CancellationReason | undefined): boolean =>
  reason?.Code === 'ConditionalCheckFailed';

/**
 * Why DynamoDB refuses a transaction whole though nothing is wrong with it: another writer, or too many. The SDK does not
 * send it again by itself (DynamoDB Developer Guide, "Transaction conflict handling in DynamoDB").
 */
const passing: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException || error instanceof TransactionInProgressException) return true;
  const codes = reasonsOf(error).map(({ Code = 'None' }) => Code);
  const refusals = codes.filter((code) => code !== 'None');
  return refusals.length > 0 && refusals.every((code) => passing.has(code));
}

function writer(parts: readonly TransactionPart[]): () => Promise<unknown> {
  const [only] = parts;
  return parts.length === 1 && only ? () => writeAlone(only) : inTransaction(parts);
}

/**
 * A transaction of which an answer was lost, or that is still under way, is asked for under the same token, or it would
 * meet itself; one that was refused begins anew (API reference, TransactWriteItems, `ClientRequestToken`).
 */
function inTransaction(parts: readonly TransactionPart[]): () => Promise<unknown> {
  let ClientRequestToken = randomUUID();
  return async () => {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...parts], ClientRequestToken }));
    } catch (error) {
      if (error instanceof TransactionCanceledException) ClientRequestToken = randomUUID();
      throw error;
    }
  };
}

async function writeAlone({ Put, Update, Delete }: TransactionPart): Promise<void> {
  if (Put) await documents.send(new PutCommand(Put));
  else if (Update) await documents.send(new UpdateCommand(Update));
  else if (Delete) await documents.send(new DeleteCommand(Delete));
  else throw new Error('A condition alone writes nothing.');
}

function reasonsOf(error: unknown): readonly CancellationReason[] {
  if (error instanceof ConditionalCheckFailedException) {
    return [{ Code: 'ConditionalCheckFailed', ...(error.Item && { Item: error.Item }) }];
  }
  return error instanceof TransactionCanceledException ? error.CancellationReasons : [];
}
