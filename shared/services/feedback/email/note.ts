import { isAlias } from '../../../domain/person/erased.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { config } from '../../../platform/config.ts';
import { keepNote, type Note } from '../../../store/sending/story.ts';
import type { Batch } from '../batch.ts';
import { expiryOf } from './outcome.ts';

/**
 * Keeps what happened for the email's story: a write, unless the deployment keeps no list. Nothing more is kept of the erased.
 * True for the first of its kind that is kept.
 */
export async function noteEvent(
  { origin: { workspaceId, id: emailId } }: EmailFeedback,
  recipient: string | null,
  note: Note,
  batch: Batch,
): Promise<boolean> {
  if (config('EMAIL_LIST') === 'none' || (recipient !== null && isAlias(recipient))) return false;
  return keepNote({ workspaceId, emailId, address: recipient, expiresAt: expiryOf(batch) }, note);
}
