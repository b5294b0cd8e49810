import { getCampaignWatermark, raiseCampaignWatermark } from '../../store/feedbackWatermarks.ts';
import { isDrained } from '../feedbackQueues.ts';

/** Each process writes the watermark at most this often; readers leave a margin of minutes. */
const pauseMilliseconds = 5000;
let [writtenAt, written] = [0, 0];

/** Moves the feedback watermark of campaign mail: acceptances of messages sent up to `sentAt` have been reported. */
export async function noteCampaignEvent(sentAt: Date, now: Date): Promise<void> {
  if (sentAt.getTime() <= written || now.getTime() - writtenAt < pauseMilliseconds) return;
  const upTo = notInFuture(sentAt, now);
  [writtenAt, written] = [now.getTime(), upTo.getTime()];
  await raiseCampaignWatermark(upTo);
}

/** The same for a probe, at once: a campaign waits for it. */
export const noteProbeEvent = (sentAt: Date, now: Date): Promise<void> =>
  raiseCampaignWatermark(notInFuture(sentAt, now));

/** Guards against a provider whose clock is ahead. */
const notInFuture = (at: Date, now: Date): Date => new Date(Math.min(at.getTime(), now.getTime()));

/** How far the provider's events of campaign mail have been processed. */
export interface FeedbackWatermark {
  /**
   * A message sent well before this whose acceptance was not reported was not taken; null before the first event. Events
   * arrive out of order by seconds or minutes: readers leave a margin of half of CAMPAIGN_DOUBT_SECONDS.
   */
  readonly upTo: Date | null;
  /** Whether no earlier event is still in the queue or in its dead-letter queue. */
  readonly isQueueDrained: () => Promise<boolean>;
}

export async function readWatermark(): Promise<FeedbackWatermark> {
  return { upTo: await getCampaignWatermark(), isQueueDrained: () => isDrained('campaign-feedback') };
}

/** The same, but with at most one check of the queue, for slices that were read before it. */
export function withOneCheck({ upTo, isQueueDrained }: FeedbackWatermark): FeedbackWatermark {
  let answer: Promise<boolean> | undefined;
  return {
    upTo,
    isQueueDrained: () => {
      answer ??= isQueueDrained();
      return answer;
    },
  };
}
