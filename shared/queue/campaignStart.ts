import { queueArn } from '../platform/config.ts';
import { longestDelaySeconds } from './delay.ts';
import type { FireMessage } from './fireMessage.ts';
import { schedule } from './scheduler/schedule.ts';
import { unschedule } from './scheduler/unschedule.ts';
import { sendMessage } from './sqs/sendMessage.ts';

const queue = 'campaign-start';

/**
 * Wakes a scheduled campaign at a moment, by a one-time schedule that is exact to a minute; within a quarter of an hour
 * by the delay of the queue, exact to some seconds. A message whose time the record does not name does nothing.
 */
export async function scheduleFire(workspaceId: string, campaignId: string, at: Date, now: Date): Promise<void> {
  const body = JSON.stringify({
    kind: 'fire',
    workspace_id: workspaceId,
    campaign_id: campaignId,
    scheduled_at: at.toISOString(),
  } satisfies FireMessage);
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

export const cancelFire = (campaignId: string, at: Date): Promise<void> => unschedule(scheduleName(campaignId, at));

/** One per campaign and moment: a campaign that is scheduled anew is not kept from it by the schedule before. */
const scheduleName = (campaignId: string, at: Date): string => `campaign-${campaignId}-${at.getTime().toString(36)}`;
