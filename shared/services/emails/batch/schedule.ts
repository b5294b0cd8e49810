import { ServiceError } from '../../../contract/errors.ts';
import { monthOf } from '../../../domain/sending/plan.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { logger } from '../../../platform/logger.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { NewScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { openPart } from '../attempt.ts';
import { checkRoom, keepBody, keepRecord, scheduledEmail } from '../scheduled/keep.ts';
import { queueIfNear } from '../scheduled/moment.ts';
import { waiting } from '../waiting.ts';
import { type Letter, momentOf } from './letter.ts';
import { mayBeGivenBack } from './reserve.ts';

/** A letter that goes out later; `unknown` when the answer to its record was lost. Doing it again changes nothing. */
export interface Kept {
  readonly letter: Letter;
  readonly status: 'scheduled' | 'not_sent' | 'unknown';
  /** Why it is not scheduled. */
  readonly providerCode?: string;
}

/** Bodies and records on their way at once. */
const lanes = 16;

/** Keeps letters until their moments, each as a single email is kept. It never throws. */
export async function scheduleAll(
  { id: workspaceId }: Workspace,
  letters: readonly Letter[],
  now: Date,
): Promise<Kept[]> {
  const written: NewScheduledEmail[] = [];
  const kept = await inParallel(lanes, letters, async (letter): Promise<Kept> => {
    const email = scheduledEmail({ workspaceId, now }, letter.draft, letter.id, momentOf(letter) ?? now);
    let status: Kept['status'] = 'not_sent';
    try {
      await keepBody(email, letter.draft);
      status = 'unknown';
      if (await keepRecord(email, now)) written.push(email);
      return { letter, status: 'scheduled' };
    } catch (error) {
      logger.error('An email of a batch could not be scheduled.', { error: error as Error, email_id: email.id });
      return { letter, status, providerCode: 'InternalError' };
    }
  });
  await queueIfNear(written, now);
  return kept;
}

/**
 * What goes out this month, now or later, must have room today already. `quota_exceeded` when it has none, or `conflict`
 * while a lost call under the same key may hold what is lacking.
 */
export async function checkRoomOfAll(
  letters: readonly Letter[],
  workspace: Workspace,
  { now, lostAt }: { readonly now: Date; readonly lostAt: number },
): Promise<void> {
  const thisMonth = letters.filter((letter) => monthOf(momentOf(letter) ?? now) === monthOf(now));
  if (thisMonth.every((letter) => momentOf(letter) === null)) return;
  const requested = thisMonth.reduce((sum, letter) => sum + openRecipients(letter), 0);
  try {
    await checkRoom(workspace, requested, now, now);
  } catch (error) {
    if (error instanceof ServiceError && mayBeGivenBack(lostAt, now)) throw waiting('unconfirmed', 30);
    throw error;
  }
}

/** Those of envelopes that are out are counted already. */
const openRecipients = ({ draft: { addresses }, known }: Letter): number =>
  known ? openPart({ email: known.email, accepted: known.messageIds.map(Boolean) }).length : addresses.length;
