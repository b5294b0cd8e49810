import type { NewEvent } from '../../domain/webhook/event.ts';
import type { EventType } from '../../domain/webhook/eventType.ts';
import { reportedAddress, type SesEvent } from '../../email/feedbackEvent.ts';
import { type FeedbackOrigin, ownTags } from '../../email/feedbackTags.ts';
import { writeEvents } from '../events/emit.ts';
import { type Batch, webhooksOf } from './batch.ts';

/** What happened to one recipient; `recipient` is null when the provider does not say who it was. */
export interface EmailHappening {
  readonly type: EventType;
  readonly recipient: string | null;
  readonly at: Date;
  /** What tells it from another of its type and recipient: nothing for what happens once. */
  readonly occurrence?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Any report of the provider, whatever its type. */
interface Report {
  readonly origin: FeedbackOrigin;
  readonly event: Pick<SesEvent, 'mail'>;
}

/** Emits the events of one report, to be queued with those of its batch; all they tell is in the report itself, so that nothing is read for them. */
export async function emitEmailEvents(
  { origin, event }: Report,
  happenings: readonly EmailHappening[],
  batch: Batch,
): Promise<void> {
  const { mail } = event;
  const message = {
    email_id: origin.emailId,
    campaign_id: null,
    subject: mail.commonHeaders?.subject ?? null,
    tags: ownTags(mail.tags),
  };
  const events = happenings.map(({ type, recipient, at, occurrence = '', details }): NewEvent => {
    const { email_id, campaign_id, subject, tags } = message;
    const cause = [mail.messageId, type, recipient ?? '', occurrence].join('#');
    return { type, cause, at, data: { email_id, campaign_id, recipient, subject, tags, ...details } };
  });
  batch.deliveries.push(
    ...(await writeEvents(origin.workspaceId, events, () => webhooksOf(batch, origin.workspaceId))),
  );
}

/** Who opened or clicked: SES does not tell which of several recipients it was. */
export function onlyRecipient({ event }: Report): string | null {
  const [first, ...others] = event.mail.destination;
  return first !== undefined && others.length === 0 ? reportedAddress(first) : null;
}
