import { longestDelaySeconds } from './delay.ts';
import type { ScheduledMessage } from './scheduledMessage.ts';
import { sendMessages } from './sqs/sendMessages.ts';

export interface DelayedMessage {
  readonly entry: ScheduledMessage;
  readonly delaySeconds: number;
}

/** Puts messages on the queue, each to be seen after its delay; the workspace is their group (SQS, "fair queues"). */
export const sendScheduledMessages = (messages: readonly DelayedMessage[]): Promise<void> =>
  sendMessages(
    'scheduled-email',
    messages.map(({ entry, delaySeconds }) => ({
      MessageBody: JSON.stringify(entry),
      MessageGroupId: entry.workspace_id,
      DelaySeconds: Math.min(longestDelaySeconds, Math.max(0, Math.ceil(delaySeconds))),
    })),
  );
