import { queueArn } from '../platform/config.ts';
import { longestDelaySeconds } from './delay.ts';
import { schedule } from './scheduler/schedule.ts';
import { unschedule } from './scheduler/unschedule.ts';
import { queueOfLane, sendWebhookMessages } from './webhookDelivery.ts';
import { type AttemptMessage, wireWebhookMessage } from './webhookMessage.ts';

/**
 * Asks for an attempt at a moment: by the delay of the queue when it is within 15 minutes, else by a one-time schedule
 * that puts the message on the queue and deletes itself.
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

/** One per delivery: doing it twice makes one schedule, and whoever deletes the delivery finds it. */
const scheduleName = (deliveryId: string): string => `webhook-${deliveryId}`;
