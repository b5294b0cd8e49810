import * as z from 'zod';
import { sendMessage } from './sqs.ts';

/** Continue a job, unless another worker runs it. */
const jobMessage = z.object({ kind: z.literal('job'), workspace_id: z.string(), job_id: z.string() });
/** Copy the emails of a workspace to the bucket that have come to the age for it. */
const copyMessage = z.object({ kind: z.literal('copyEmails'), workspace_id: z.string() });

const message = z.discriminatedUnion('kind', [jobMessage, copyMessage]);

export type JobMessage = z.output<typeof jobMessage>;
export type QueuedWork = z.output<typeof message>;

export const parseJobMessage = (body: string): QueuedWork => message.parse(JSON.parse(body));

/** The message group is the workspace, so that a large import does not delay others (SQS, "fair queues"). */
export const sendJobMessage = (entry: QueuedWork): Promise<void> =>
  sendMessage('job', { MessageBody: JSON.stringify(entry), MessageGroupId: entry.workspace_id });
