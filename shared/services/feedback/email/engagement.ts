import type { HappeningOf } from '../../../domain/sending/happening.ts';
import { isProxiedOpen } from '../../../domain/sending/proxy.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import type { Batch } from '../batch.ts';
import { emitEmailEvent } from './event.ts';
import { noteEvent } from './note.ts';

/** The images of a message were fetched, by the reader or by a relay in their place. */
export async function recordOpened(
  feedback: EmailFeedback,
  opened: HappeningOf<'opened'>,
  batch: Batch,
): Promise<void> {
  const { recipient, at, occurrence, userAgent } = opened;
  const proxied = isProxiedOpen(userAgent);
  const details = { user_agent: userAgent, proxied };
  const isFirst = await noteEvent(feedback, recipient, { kind: 'opens', at, text: proxied ? 'proxied' : '' }, batch);
  if (isFirst) batch.book.count(feedback.origin.workspaceId, { opened: 1 });
  await emitEmailEvent(feedback, { type: 'email.opened', recipient, at, occurrence, details }, batch);
}

/** A link of a message was followed. */
export async function recordClicked(
  feedback: EmailFeedback,
  clicked: HappeningOf<'clicked'>,
  batch: Batch,
): Promise<void> {
  const { recipient, at, occurrence, userAgent, url } = clicked;
  const details = { url, user_agent: userAgent };
  await noteEvent(feedback, recipient, { kind: 'clicks', at, text: url }, batch);
  await emitEmailEvent(feedback, { type: 'email.clicked', recipient, at, occurrence, details }, batch);
}
