import * as z from 'zod';
import { sendMessage } from './sqs.ts';

/** Continue a job, unless another worker runs it. */
const message = z.object({ kind: z.literal('job'), workspace_id: z.string(), job_id: z.string() });

export type JobMessage = z.output<typeof message>;

export const parseJobMessage = (body: string): JobMessage => message.parse(JSON.parse(body));

/** The message group is the workspace, so that a large import does not delay others (SQS, "fair queues"). */
export const sendJobMessage = (entry: JobMessage): Promise<void> =>
  sendMessage('job', { MessageBody: JSON.stringify(entry), MessageGroupId: entry.workspace_id });
