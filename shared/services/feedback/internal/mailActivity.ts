import { isAlias } from '../../../domain/person/erased.ts';
import type { MailAction, MailMark } from '../../../domain/personEvents/mailActivity.ts';
import { type FeedbackEvent, isProxiedOpen } from '../../../domain/sending/feedbackEvent.ts';
import type { Feedback } from '../../../email/feedbackEvent.ts';
import { config } from '../../../platform/config.ts';
import type { Batch } from '../batch.ts';
import { type ByEventType, handlerOf } from './effects.ts';

interface NotedAction {
  readonly action: MailAction;
  readonly recipients: readonly (string | null)[];
}

const nothing = () => null;

/** What rules on mail may ask about. The caller has left out the clicks and opens of robots. */
const noted: ByEventType<[], NotedAction | null> = {
  accepted: ({ recipients }) => ({ action: 'sent', recipients }),
  opened: ({ recipient, userAgent }) =>
    isProxiedOpen(userAgent) ? null : { action: 'opened', recipients: [recipient] },
  clicked: ({ recipient }) => ({ action: 'clicked', recipients: [recipient] }),
  delivered: nothing,
  bounced: nothing,
  complained: nothing,
  delayed: nothing,
  undelivered: nothing,
  dropped: nothing,
};

/**
 * Notes an event for rules on mail, with the setting `mailActivity`. Only the latest of each person and action is written,
 * with the rest of the batch. Of a message to several people nothing tells who opened it.
 */
export function noteMailActivity(
  { origin: { workspaceId } }: Pick<Feedback, 'origin'>,
  event: FeedbackEvent,
  { mailMarks }: Batch,
): void {
  if (!config('MAIL_ACTIVITY')) return;
  const { action, recipients } = handlerOf(noted, event)() ?? {};
  for (const email of recipients ?? []) {
    if (action === undefined || email === null || isAlias(email)) continue;
    const mark: MailMark = { workspaceId, email, action, at: event.at };
    const name = [workspaceId, action, email].join('#');
    const known = mailMarks.get(name);
    if (!known || known.at < mark.at) mailMarks.set(name, mark);
  }
}
