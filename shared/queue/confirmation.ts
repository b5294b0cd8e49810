import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { queueUrl } from '../platform/config.ts';

const person = { workspace_id: z.string(), email: z.string() };

const message = z.discriminatedUnion('kind', [
  /** Send what this person's request for consent still owes them. */
  z.object({ kind: z.literal('confirmation'), ...person }),
  /** Somebody sent the public form. Who it is, only the worker looks up. */
  z.object({
    kind: z.literal('sign_up'),
    ...person,
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
  }),
]);

export type ConfirmationMessage = z.output<typeof message>;

export const parseConfirmationMessage = (body: string): ConfirmationMessage => message.parse(JSON.parse(body));

/** Where SQS is follows from the region or `AWS_ENDPOINT_URL`, as with every other client, and not from a queue's URL. */
const client = new SQSClient({ useQueueUrlAsEndpoint: false });

/** The group is the workspace: one that imports thousands does not hold up the others (SQS, "fair queues"). */
export async function sendConfirmationMessage(entry: ConfirmationMessage): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl('confirmation'),
      MessageBody: JSON.stringify(entry),
      MessageGroupId: entry.workspace_id,
    }),
  );
}
