import type { SQSHandler } from 'aws-lambda';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseJobMessage } from '../../shared/queue/job.ts';
import { copyWorkspace } from '../../shared/services/emails/copyWorkspace.ts';
import { runJob } from '../../shared/services/workers/runJob.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => {
    const work = parseJobMessage(body);
    return work.kind === 'job' ? runJob(work) : copyWorkspace(work.workspace_id);
  });
