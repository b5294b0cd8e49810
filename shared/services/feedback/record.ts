import type { Feedback } from '../../email/feedbackEvent.ts';
import type { FeedbackOrigin } from '../../email/feedbackTags.ts';
import { addLogFields } from '../../platform/logContext.ts';
import type { Batch } from './batch.ts';
import { recordCampaignFeedback } from './campaign/record.ts';
import { recordEmailFeedback } from './email/record.ts';
import { recordProbeFeedback } from './probe.ts';

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

/** Does what a report asks for. Reports come late, twice and in any order: doing one again changes nothing. */
export async function recordFeedback(feedback: Feedback, batch: Batch): Promise<void> {
  const { kind, id, workspaceId } = feedback.origin;
  addLogFields({ workspace_id: workspaceId, [`${kind}_id`]: id });
  const record = recorders[kind] as Recorder<OriginKind>;
  await record(feedback, batch);
}
