import { addSeconds, now } from '../platform/clock.ts';
import type { FeedbackQueue } from '../platform/config.ts';
import { isQueueEmpty } from '../queue/sqs.ts';
import { getRedriveTime } from '../store/feedbackWatermarks.ts';

/** Redriven events are in flight for a while, and the queue's own counts are some seconds old. */
const redriveSeconds = 15 * 60;

/** Whether a feedback queue and the queues behind it contain no events: nothing of what SES reported is unread. */
export async function isDrained(queue: FeedbackQueue): Promise<boolean> {
  const redrivenAt = await getRedriveTime(queue);
  if (redrivenAt && now() < addSeconds(redrivenAt, redriveSeconds)) return false;
  return isQueueEmpty(queue);
}
