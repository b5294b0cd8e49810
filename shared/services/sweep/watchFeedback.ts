import { addSeconds } from '../../platform/clock.ts';
import type { FeedbackQueue } from '../../platform/config.ts';
import { notify } from '../../platform/logger.ts';
import { getCampaignWatermark, getEmailWatermark, watermarkPauseSeconds } from '../../store/feedbackWatermarks.ts';

/** SES reports an acceptance within seconds. Single emails are settled, and awaited, five minutes after they were sent. */
const silentSeconds = 10 * 60;

const watermarks: Readonly<Record<FeedbackQueue, () => Promise<Date | null>>> = {
  feedback: async () => {
    const time = await getEmailWatermark();
    return time === null ? null : new Date(time);
  },
  'campaign-feedback': getCampaignWatermark,
};

/**
 * By queue of events, a time after which SES accepted a message that no event has confirmed yet. It is lost with the
 * process, and known again with the next message.
 */
const awaited = new Map<FeedbackQueue, { readonly sentFrom: Date; readonly since: Date }>();

/** SES has accepted a message that was sent at this time or later: its event is awaited. */
export function awaitFeedback(queue: FeedbackQueue, sentFrom: Date, now: Date): void {
  if (!awaited.has(queue)) awaited.set(queue, { sentFrom, since: now });
}

/**
 * Notices that mail goes out while no events come in, at every run while that lasts: then bounces and complaints suppress
 * nobody. Reads nothing while no event is awaited.
 */
export async function sweepFeedback(now: Date): Promise<void> {
  for (const [queue, { sentFrom, since }] of awaited) {
    const watermark = await watermarks[queue]();
    if (watermark && watermark >= addSeconds(sentFrom, -watermarkPauseSeconds)) awaited.delete(queue);
    else if (now >= addSeconds(since, silentSeconds)) {
      notify('FeedbackSilent', 'Mail goes out, and no events about it come in.', {
        queue,
        sent_from: sentFrom.toISOString(),
        last_event: watermark?.toISOString() ?? null,
      });
    }
  }
}
