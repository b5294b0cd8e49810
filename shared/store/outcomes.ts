import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { knownOutcome, type OutcomeChange, outcomeChange, type RecordedOutcome, recordOutcome } from './emails.ts';
import { documents } from './table.ts';
import { outcomeUpdate } from './usage.ts';

/**
 * Moves a recipient up in rank and counts it on its day, in one transaction: bounces and complaints decide over
 * suspension, so each counts exactly once. `count` null moves without counting.
 */
export async function recordCountedOutcome(
  change: OutcomeChange,
  count: { day: string; bounced?: number; complained?: number } | null,
): Promise<RecordedOutcome> {
  if (!count) return recordOutcome(change);
  const { day, ...counts } = count;
  try {
    await documents.send(
      new TransactWriteCommand({
        TransactItems: [{ Update: outcomeChange(change) }, { Update: outcomeUpdate(change.workspaceId, day, counts) }],
      }),
    );
    return { changed: true, at: change.at };
  } catch (error) {
    const [own] = cancellationReasons(error);
    if (own?.Code === 'ConditionalCheckFailed') return knownOutcome(change, own.Item);
    throw error;
  }
}

/** The first part is the only one with a condition; a conflict with another transaction is thrown and tried again. */
function cancellationReasons(error: unknown): CancellationReason[] {
  return (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
}
