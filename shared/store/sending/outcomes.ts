import { isFailedCondition, transact } from '../table/transaction.ts';
import { knownOutcome, type OutcomeChange, outcomeChange, type RecordedOutcome, recordOutcome } from './emails.ts';
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
  const refused = await transact([
    { Update: outcomeChange(change) },
    { Update: outcomeUpdate(change.workspaceId, day, counts) },
  ]);
  if (refused === null) return { changed: true, at: change.at };
  // The first part is the only one with a condition.
  const [own] = refused;
  if (!isFailedCondition(own)) throw new Error('A counted outcome was refused without a reason.');
  return knownOutcome(change, own?.Item);
}
