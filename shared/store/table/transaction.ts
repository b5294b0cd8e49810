import { setTimeout as wait } from 'node:timers/promises';
import {
  type CancellationReason,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type TransactionPart } from './table.ts';

const attempts = 7;
const firstWaitMilliseconds = 10;

/**
 * Does a write again that met a transaction on the same item: nothing was written, and the SDK gives up at once
 * (DynamoDB Developer Guide, "Transaction conflict handling").
 */
export async function contended<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
      await wait(firstWaitMilliseconds * 2 ** attempt * Math.random());
    }
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  const codes = cancellationReasons(error).map(({ Code }) => Code);
  return codes.includes('TransactionConflict') && !codes.includes('ConditionalCheckFailed');
}

/** Writes every part or none. Null when they are written; else, part by part, whose condition failed. */
export async function transact(parts: readonly TransactionPart[]): Promise<CancellationReason[] | null> {
  try {
    await contended(() => documents.send(new TransactWriteCommand({ TransactItems: [...parts] })));
    return null;
  } catch (error) {
    const reasons = cancellationReasons(error);
    if (reasons.some(isFailedCondition)) return reasons;
    throw error;
  }
}

export const isFailedCondition = (reason: CancellationReason | undefined): boolean =>
  reason?.Code === 'ConditionalCheckFailed';

function cancellationReasons(error: unknown): CancellationReason[] {
  return (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
}
