import { isAlias } from '../../../domain/person/erased.ts';
import {
  type FeedbackEvent,
  type FeedbackEventOf,
  type FeedbackEventType,
  meaningOf,
} from '../../../domain/sending/feedbackEvent.ts';
import type { Lane } from '../../../domain/webhook/delivery.ts';
import type { WebhookEventType } from '../../../domain/webhook/webhook.ts';
import type { Feedback } from '../../../email/feedbackEvent.ts';
import type { CampaignOrigin, EmailOrigin } from '../../../email/feedbackTags.ts';
import { findAlias } from '../../../store/suppression/platformSuppression.ts';
import { writeEvents } from '../../events.ts';
import { suppress } from '../../suppression.ts';
import { type Batch, listenersOf, webhooksOf } from '../batch.ts';

/**
 * For each type of event, what one kind of mail does with it. Single emails and campaigns each have such a table: a new
 * type of event that one of them does not handle does not compile.
 */
export type ByEventType<Arguments extends readonly unknown[], Result> = {
  readonly [Type in FeedbackEventType]: (event: FeedbackEventOf<Type>, ...rest: Arguments) => Result;
};

/** Calls the table's function for an event. */
export function handlerOf<Arguments extends readonly unknown[], Result>(
  table: ByEventType<Arguments, Result>,
  event: FeedbackEvent,
): (...rest: Arguments) => Result {
  const handle = table[event.type] as (event: FeedbackEvent, ...rest: Arguments) => Result;
  return (...rest) => handle(event, ...rest);
}

/**
 * What an event does besides its own record, as `eventMeanings` decides it: the recipient is suppressed and a webhook
 * event is emitted. `at` goes into the webhook event's id: pass the time of the first report, so that a repeated report
 * emits the same event.
 */
export async function applyMeaning(
  feedback: Feedback<EmailOrigin | CampaignOrigin>,
  event: FeedbackEvent,
  at: Date | null,
  batch: Batch,
): Promise<void> {
  const { suppression, webhook } = meaningOf(event);
  const { workspaceId } = feedback.origin;
  if (suppression !== null && 'byAccount' in event) {
    const options = { lane: laneOf(feedback), listeners: () => listenersOf(batch, workspaceId) };
    await suppress(workspaceId, event.recipient, suppression, batch.now, 'feedback', options);
    if (event.byAccount) await suppress(null, event.recipient, suppression, batch.now);
    const { origin } = feedback;
    const isServiceMail = origin.kind === 'email' && origin.purpose === 'service';
    (isServiceMail ? batch.serviceMailToJudge : batch.toJudge).add(workspaceId);
  }
  if (webhook === null) return;
  const recipients =
    'recipient' in event ? [event.recipient] : await recipientsOf(feedback, event, webhook.type, batch);
  await Promise.all(recipients.map((recipient) => emit(feedback, event, recipient, at ?? event.at, batch)));
}

/**
 * The recipients of an event about a whole message; none when no webhook listens, which the message itself says of its
 * acceptance. Erased people are left out here, since only those of events about one recipient were looked up.
 */
async function recipientsOf(
  { origin: { workspaceId, reports } }: Feedback<EmailOrigin | CampaignOrigin>,
  { type: reported, recipients }: Extract<FeedbackEvent, { readonly recipients: unknown }>,
  type: WebhookEventType,
  batch: Batch,
): Promise<readonly string[]> {
  if (reported === 'accepted' && reports !== 'sent') return [];
  const { webhooks, hasErased } = await listenersOf(batch, workspaceId);
  if (!webhooks.some(({ events }) => events.includes(type))) return [];
  if (!hasErased) return recipients;
  const aliases = await Promise.all(recipients.map((address) => findAlias(workspaceId, address)));
  return recipients.filter((_, index) => aliases[index] === null);
}

const laneOf = ({ origin: { kind } }: Pick<Feedback<EmailOrigin | CampaignOrigin>, 'origin'>): Lane =>
  kind === 'campaign' ? 'bulk' : 'live';

/** Writes the deliveries of a webhook event; they are queued with those of the batch. */
async function emit(
  { origin, message }: Feedback<EmailOrigin | CampaignOrigin>,
  event: FeedbackEvent,
  recipient: string | null,
  at: Date,
  batch: Batch,
): Promise<void> {
  const { webhook } = meaningOf(event);
  // Nothing more is reported of an erased person.
  if (recipient !== null && isAlias(recipient)) return;
  const { kind, workspaceId, id } = origin;
  const { subject, tags } = message;
  const occurrence = 'occurrence' in event ? event.occurrence : '';
  const cause = [message.id, webhook.type, recipient ?? '', occurrence].join('#');
  const holder = { email_id: kind === 'email' ? id : null, campaign_id: kind === 'campaign' ? id : null };
  const data = { ...holder, recipient, subject, tags, ...webhook.details(event) };
  const newEvent = { type: webhook.type, cause, at, data, lane: laneOf({ origin }) };
  batch.deliveries.push(...(await writeEvents(workspaceId, [newEvent], () => webhooksOf(batch, workspaceId))));
}
