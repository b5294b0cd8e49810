import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isAfterLostAnswer } from '../../platform/aws/clients.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import {
  type CancellationReason,
  cancellationReasons,
  documents,
  type Item,
  isStoredAs,
  refusingItem,
  type TransactionPart,
} from './table.ts';

/** The result of a single write. */
export interface WriteOutcome {
  /** False when its condition failed and nothing was written. */
  readonly isMade: boolean;
  /** The requested attributes; if nothing was written, the whole stored item, `{}` if there is none. */
  readonly item: Item;
  /** True when it was refused after the answer to an earlier try was lost: that try may have succeeded. */
  readonly isInDoubt: boolean;
  /** True when its own earlier try caused the refusal: `item` is then the item as that try left it. */
  readonly isRecognised: boolean;
}

/**
 * Whether a stored item (`{}` for none) is as the write leaves it, for a write that was refused after a lost answer.
 */
export type Recognition = (stored: Item) => boolean;

/** Which attributes a write returns. */
export type Returning = 'ALL_NEW' | 'ALL_OLD' | 'UPDATED_NEW' | 'UPDATED_OLD';

/** A refusal returns the stored item at no cost (API reference, UpdateItem, `ReturnValuesOnConditionCheckFailure`). */
const tellingStored = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const answering = (returning: Returning | undefined) => ({
  ...tellingStored,
  ...(returning && { ReturnValues: returning }),
});

/**
 * A function for each command: the bundle of a Lambda function contains those that its code may call, and its role must
 * allow them all.
 */

export function sendPut(put: NonNullable<TransactionPart['Put']>, returning?: 'ALL_OLD'): Promise<WriteOutcome> {
  const command = new PutCommand({ ...put, ...answering(returning) });
  return outcomeOf(
    () => documents.send(command),
    (stored) => isStoredAs(put.Item ?? {}, stored),
  );
}

/** `isOwn` recognises an update. Without it, an update whose answer was lost stays in doubt. */
export function sendUpdate(
  update: NonNullable<TransactionPart['Update']>,
  { returning, isOwn = () => false }: { readonly returning?: Returning; readonly isOwn?: Recognition } = {},
): Promise<WriteOutcome> {
  const command = new UpdateCommand({ ...update, ...answering(returning) });
  return outcomeOf(() => documents.send(command), isOwn);
}

export function sendDelete(part: NonNullable<TransactionPart['Delete']>): Promise<WriteOutcome> {
  const command = new DeleteCommand({ ...part, ...answering(undefined) });
  return outcomeOf(
    () => documents.send(command),
    (stored) => Object.keys(stored).length === 0,
  );
}

/** Always passes the same command object, since lost answers are recorded by its input. */
async function outcomeOf(
  send: () => Promise<{ readonly Attributes?: Item | undefined }>,
  isOwn: Recognition,
): Promise<WriteOutcome> {
  try {
    const { Attributes = {} } = await untilUncontended(send);
    return { isMade: true, item: Attributes, isInDoubt: false, isRecognised: false };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = refusingItem(error) ?? {};
    const isRecognised = isAfterLostAnswer(error) && isOwn(item);
    return { isMade: isRecognised, item, isInDoubt: isAfterLostAnswer(error) && !isRecognised, isRecognised };
  }
}

/**
 * Repeats a write until it conflicts with no transaction on its item. A throttled write is not repeated here: the
 * client has tried it four times, and more tries would use up its retries for all other calls.
 */
export async function untilUncontended<T>(write: () => Promise<T>, milliseconds?: number): Promise<T> {
  const attempt = async () => {
    try {
      return await write();
    } catch (error) {
      if (isConflict(error)) return overtaken;
      throw error;
    }
  };
  return untilSettled(attempt, milliseconds);
}

/**
 * Why DynamoDB cancels a valid transaction: another writer, or throttling. The SDK does not retry these (DynamoDB
 * Developer Guide, "Transaction conflict handling in DynamoDB").
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

/** Why DynamoDB cancelled a transaction, for each part; empty for any other error. */
export const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  error instanceof TransactionCanceledException ? cancellationReasons(error) : [];

/**
 * Writes all parts or none: null when they are written, else, for each part, which condition failed. Conflicts with
 * other writers are retried within `patienceMilliseconds`. A single part is written without a transaction, at half the
 * price: after a lost answer its condition may then fail because of its own first try (see `decide`).
 */
export async function transact(
  parts: readonly TransactionPart[],
  { patienceMilliseconds }: { readonly patienceMilliseconds?: number } = {},
): Promise<readonly CancellationReason[] | null> {
  const [only] = parts;
  if (parts.length !== 1 || !only) return inTransaction(parts, patienceMilliseconds);
  const { isMade, item } = await writeAlone(only);
  return isMade ? null : [{ Code: failedCondition, Item: item }];
}

/**
 * One write whose result must be right even after a lost answer: true when it was made, false when another writer made
 * its condition fail. It is a transaction, at double the units: DynamoDB recognises a repetition by its token, where a
 * plain write would be refused because of its own first try.
 */
export async function decide(part: TransactionPart): Promise<boolean> {
  return (await inTransaction([part])) === null;
}

const failedCondition = 'ConditionalCheckFailed';

export const isFailedCondition = (reason: CancellationReason | undefined): boolean => reason?.Code === failedCondition;

function writeAlone({ Put, Update, Delete }: TransactionPart): Promise<WriteOutcome> {
  if (Put) return sendPut(Put);
  if (Update) return sendUpdate(Update);
  if (Delete) return sendDelete(Delete);
  throw new Error('A condition alone writes nothing.');
}

/**
 * After a lost answer, or while in progress, a transaction is repeated under the same token, or it would conflict with
 * itself. After a refusal it gets a new token (API reference, TransactWriteItems, `ClientRequestToken`).
 */
async function inTransaction(
  parts: readonly TransactionPart[],
  patienceMilliseconds?: number,
): Promise<readonly CancellationReason[] | null> {
  let ClientRequestToken = randomUUID();
  return untilUncontended(async () => {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...parts], ClientRequestToken }));
      return null;
    } catch (error) {
      if (error instanceof TransactionCanceledException) ClientRequestToken = randomUUID();
      const reasons = reasonsOf(error);
      if (reasons.some(isFailedCondition)) return reasons;
      throw error;
    }
  }, patienceMilliseconds);
}
