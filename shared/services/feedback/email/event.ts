import { isAlias } from '../../../domain/person/erased.ts';
import type { EventType } from '../../../domain/webhook/eventType.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { writeEvents } from '../../events/emit.ts';
import { type Batch, webhooksOf } from '../batch.ts';

interface EmailEvent {
  readonly type: EventType;
  /** Null when the provider does not say who it was. */
  readonly recipient: string | null;
  readonly at: Date;
  /** What tells it from another of its type and recipient: nothing for what happens once. */
  readonly occurrence?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Emits what a report tells, to be queued with the events of its batch; nothing is read for it but the webhooks. */
export async function emitEmailEvent(
  { origin, message }: EmailFeedback,
  { type, recipient, at, occurrence = '', details }: EmailEvent,
  batch: Batch,
): Promise<void> {
  // Nothing more is told of somebody who was erased.
  if (recipient !== null && isAlias(recipient)) return;
  const { workspaceId, id } = origin;
  const { subject, tags } = message;
  const cause = [message.id, type, recipient ?? '', occurrence].join('#');
  const data = { email_id: id, campaign_id: null, recipient, subject, tags, ...details };
  const deliveries = await writeEvents(workspaceId, [{ type, cause, at, data }], () => webhooksOf(batch, workspaceId));
  batch.deliveries.push(...deliveries);
}
