import * as z from 'zod';
import { sendMessage } from './sqs/sendMessage.ts';

/** Get on with a job, unless somebody is at it. */
const message = z.object({ kind: z.literal('job'), workspace_id: z.string(), job_id: z.string() });

export type JobMessage = z.output<typeof message>;

export const parseJobMessage = (body: string): JobMessage => message.parse(JSON.parse(body));

/** The group is the workspace: who imports a million lines holds up nobody else (SQS, "fair queues"). */
export const sendJobMessage = (entry: JobMessage): Promise<void> =>
  sendMessage('job', { MessageBody: JSON.stringify(entry), MessageGroupId: entry.workspace_id });
