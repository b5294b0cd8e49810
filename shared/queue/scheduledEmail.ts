import * as z from 'zod';
import { longestDelaySeconds, sendMessages } from './sqs.ts';

/** Send the email if it is still scheduled for this time. */
const message = z.object({
  kind: z.literal('send'),
  workspace_id: z.string(),
  email_id: z.string(),
  scheduled_at: z.string(),
});

export type ScheduledMessage = z.output<typeof message>;

const kind = z.object({ kind: z.string() });

/** Whether a message of the queue is for a scheduled email. Throws when it is not JSON or has no kind. */
export const isScheduledMessage = (body: string): boolean => kind.parse(JSON.parse(body)).kind === 'send';

export const parseScheduledMessage = (body: string): ScheduledMessage => message.parse(JSON.parse(body));

export interface DelayedMessage {
  readonly entry: ScheduledMessage;
  readonly delaySeconds: number;
}

/**
 * Queues messages, each with its delay. Their group is the workspace's scheduled emails, so that they wait neither for those
 * of another workspace nor for its own confirmations (SQS, "fair queues").
 */
export const sendScheduledMessages = (messages: readonly DelayedMessage[]): Promise<void> =>
  sendMessages(
    'confirmation',
    messages.map(({ entry, delaySeconds }) => ({
      MessageBody: JSON.stringify(entry),
      MessageGroupId: `${entry.workspace_id}#scheduled`,
      DelaySeconds: Math.min(longestDelaySeconds, Math.max(0, Math.ceil(delaySeconds))),
    })),
  );
