import { queueArn } from '../platform/config.ts';
import type { CampaignStartMessage } from './campaignStartMessage.ts';
import { schedule, unschedule } from './scheduler.ts';
import { longestDelaySeconds, sendMessage } from './sqs.ts';

const queue = 'campaign-start';

/**
 * Starts a scheduled campaign at a time: within 15 minutes by the delay of the queue, exact to some seconds; later by a
 * one-time schedule, exact to a minute. A message whose time differs from the record's does nothing.
 */
export async function scheduleStart(workspaceId: string, campaignId: string, at: Date, now: Date): Promise<void> {
  const body = JSON.stringify({
    kind: 'fire',
    workspace_id: workspaceId,
    campaign_id: campaignId,
    scheduled_at: at.toISOString(),
  } satisfies CampaignStartMessage);
  const delaySeconds = Math.ceil((at.getTime() - now.getTime()) / 1000);
  if (delaySeconds > longestDelaySeconds) {
    return schedule({ name: scheduleName(campaignId, at), at, queueArn: queueArn(queue), body });
  }
  await sendMessage(queue, {
    MessageBody: body,
    MessageGroupId: workspaceId,
    DelaySeconds: Math.max(0, delaySeconds),
  });
}

/** Queues a message again for later. It is a new message, so waiting never brings it nearer to the dead-letter queue. */
export const startLater = (message: CampaignStartMessage, delaySeconds: number): Promise<void> =>
  sendMessage(queue, {
    MessageBody: JSON.stringify(message),
    MessageGroupId: message.workspace_id,
    DelaySeconds: Math.min(longestDelaySeconds, Math.ceil(delaySeconds)),
  });

export const cancelStart = (campaignId: string, at: Date): Promise<void> => unschedule(scheduleName(campaignId, at));

/** One name per campaign and time: an earlier schedule does not prevent a new one. */
const scheduleName = (campaignId: string, at: Date): string => `campaign-${campaignId}-${at.getTime().toString(36)}`;
