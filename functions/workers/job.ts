import type { SQSHandler } from 'aws-lambda';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseJobMessage } from '../../shared/queue/job.ts';
import { runJob } from '../../shared/services/workers/runJob.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => runJob(parseJobMessage(body)));
