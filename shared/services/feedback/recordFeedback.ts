import { addressesInLink, siteOfLink } from '../../domain/person/erased.ts';
import { type FeedbackEvent, meaningOf } from '../../domain/sending/feedbackEvent.ts';
import type { Feedback } from '../../email/feedbackEvent.ts';
import type { FeedbackOrigin, ProbeOrigin } from '../../email/feedbackTags.ts';
import { addLogFields } from '../../platform/logger.ts';
import { findAlias } from '../../store/suppression/platformSuppression.ts';
import { noteProbeEvent } from '../campaigns/feedbackWatermark.ts';
import { type Batch, listenersOf } from './batch.ts';
import { recordCampaignFeedback } from './internal/campaignFeedback.ts';
import { recordEmailFeedback } from './internal/emailFeedback.ts';

type OriginKind = FeedbackOrigin['kind'];
type Recorder<Kind extends OriginKind> = (
  feedback: Feedback<Extract<FeedbackOrigin, { kind: Kind }>>,
  batch: Batch,
) => Promise<void>;

const recorders: { readonly [Kind in OriginKind]: Recorder<Kind> } = {
  email: recordEmailFeedback,
  campaign: recordCampaignFeedback,
  probe: recordProbeFeedback,
};

/** Records one report of the provider. Idempotent: reports come late, more than once and in any order. */
export async function recordFeedback(feedback: Feedback, batch: Batch): Promise<void> {
  const { kind, id, workspaceId } = feedback.origin;
  addLogFields({ workspace_id: workspaceId, [`${kind}_id`]: id });
  const record = recorders[kind] as Recorder<OriginKind>;
  await record(await withoutErased(feedback, batch), batch);
}

/** A probe has no recipient, so nothing is counted: its acceptance only moves the feedback watermark. */
async function recordProbeFeedback({ message, events }: Feedback<ProbeOrigin>, { now }: Batch): Promise<void> {
  if (events.some((event) => meaningOf(event).movesWatermark)) await noteProbeEvent(message.sentAt, now);
}

/**
 * The report with the alias of every erased person in place of their address, and without clicked links that contain
 * it. Free in a workspace that has erased nobody; elsewhere one read unit for each recipient and address in a link.
 */
async function withoutErased(feedback: Feedback, batch: Batch): Promise<Feedback> {
  const { workspaceId } = feedback.origin;
  if (!feedback.events.some((event) => event.type === 'clicked' || namesRecipient(event))) return feedback;
  if (!(await listenersOf(batch, workspaceId)).hasErased) return feedback;
  const events = await Promise.all(
    feedback.events.map(async (reported): Promise<FeedbackEvent> => {
      const event = await withoutErasedLink(workspaceId, reported);
      if (!namesRecipient(event)) return event;
      const alias = await findAlias(workspaceId, event.recipient);
      return alias === null ? event : meaningOf(event).withoutServerText({ ...event, recipient: alias });
    }),
  );
  return { ...feedback, events };
}

/** A link that contains an erased address leads to the root of its site: any part of it may be personal. */
async function withoutErasedLink(workspaceId: string, event: FeedbackEvent): Promise<FeedbackEvent> {
  if (event.type !== 'clicked') return event;
  const aliases = await Promise.all(addressesInLink(event.url).map((address) => findAlias(workspaceId, address)));
  return aliases.some((alias) => alias !== null) ? { ...event, url: siteOfLink(event.url) } : event;
}

type NamedEvent = Extract<FeedbackEvent, { readonly recipient: unknown }> & { readonly recipient: string };

const namesRecipient = (event: FeedbackEvent): event is NamedEvent => 'recipient' in event && event.recipient !== null;
