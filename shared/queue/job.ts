import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { connection } from '../platform/aws/connection.ts';
import { queueUrl } from '../platform/config.ts';

/** Get on with a job, unless somebody is at it. */
const message = z.object({ kind: z.literal('job'), workspace_id: z.string(), job_id: z.string() });

export type JobMessage = z.output<typeof message>;

export const parseJobMessage = (body: string): JobMessage => message.parse(JSON.parse(body));

const client = new SQSClient({ ...connection(), useQueueUrlAsEndpoint: false });

/** The group is the workspace: who imports a million lines holds up nobody else (SQS, "fair queues"). */
export async function sendJobMessage(entry: JobMessage): Promise<void> {
  const { workspace_id: MessageGroupId } = entry;
  await client.send(
    new SendMessageCommand({ QueueUrl: queueUrl('job'), MessageBody: JSON.stringify(entry), MessageGroupId }),
  );
}
