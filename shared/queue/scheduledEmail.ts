import { callSqs } from '../platform/aws/sqsCall.ts';
import { queueUrl } from '../platform/config.ts';
import type { ScheduledMessage } from './scheduledMessage.ts';

/** The longest delay that SQS takes. */
export const longestDelaySeconds = 900;
const messagesOfCall = 10;

export interface DelayedMessage {
  readonly entry: ScheduledMessage;
  readonly delaySeconds: number;
}

/** Puts messages on the queue, each to be seen after its delay; the workspace is their group (SQS, "fair queues"). */
export async function sendScheduledMessages(messages: readonly DelayedMessage[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(messages.length / messagesOfCall) }, (_, index) =>
    sendSome(messages.slice(index * messagesOfCall, (index + 1) * messagesOfCall)),
  );
  await Promise.all(calls);
}

async function sendSome(messages: readonly DelayedMessage[]): Promise<void> {
  const { Failed } = await callSqs('SendMessageBatch', {
    QueueUrl: queueUrl('scheduled-email'),
    Entries: messages.map(({ entry, delaySeconds }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(entry),
      MessageGroupId: entry.workspace_id,
      DelaySeconds: Math.min(longestDelaySeconds, Math.max(0, Math.ceil(delaySeconds))),
    })),
  });
  const failed = (Failed ?? []) as readonly { readonly Code?: string }[];
  if (failed.length > 0) throw new Error(`SQS refused ${failed.length} messages: ${failed[0]?.Code}.`);
}
