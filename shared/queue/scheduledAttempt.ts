import { queueArn } from '../platform/config.ts';
import { schedule, unschedule } from './scheduler.ts';
import { longestDelaySeconds } from './sqs.ts';
import { queueOfLane, sendWebhookMessages } from './webhookDelivery.ts';
import { type AttemptMessage, wireWebhookMessage } from './webhookMessage.ts';

/**
 * Requests an attempt at a time: within 15 minutes by the delay of the queue, later by a one-time schedule that sends
 * the message and deletes itself.
 */
export async function sendAttemptAt(entry: AttemptMessage, at: Date, now: Date): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((at.getTime() - now.getTime()) / 1000));
  if (delaySeconds <= longestDelaySeconds) return sendWebhookMessages([entry], delaySeconds);
  await schedule({
    name: scheduleName(entry.deliveryId),
    at,
    queueArn: queueArn(queueOfLane[entry.lane]),
    body: wireWebhookMessage(entry),
  });
}

export const cancelScheduledAttempt = (deliveryId: string): Promise<void> => unschedule(scheduleName(deliveryId));

/** One name per delivery: repeating the call creates one schedule, and the deletion of the delivery finds it. */
const scheduleName = (deliveryId: string): string => `webhook-${deliveryId}`;
