import type { Job } from '../../domain/job/job.ts';
import type { ExportWork } from '../../domain/job/work.ts';
import type { Context } from '../context.ts';
import { startJob } from '../jobs/start.ts';
import { requireOperator } from '../requireOperator.ts';
import { findSegment } from '../segments/find.ts';
import type { ExportWanted } from './run.ts';

/**
 * Lets a file of people be written in the background, to be downloaded within a day. What reads them, in the same
 * operator's name, is in the audit log. Throws `not_found` for a segment that there is not.
 */
export async function startExport(context: Context, wanted: ExportWanted): Promise<Job<ExportWork>> {
  requireOperator(context, 'change');
  const segment = wanted.segment === undefined ? null : await findSegment(context.workspaceId, wanted.segment);
  return startJob(context, {
    kind: 'export',
    format: wanted.format,
    status: wanted.status ?? null,
    segmentId: segment?.id ?? null,
    segmentName: segment?.name ?? null,
    records: 0,
  });
}
