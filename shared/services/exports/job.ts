import type { ExportWork } from '../../domain/job/work.ts';
import { now } from '../../platform/clock.ts';
import { contextOfJob } from '../jobs/start.ts';
import type { Outcome, Turn } from '../jobs/turn.ts';
import { writeFile } from '../jobs/writeFile.ts';
import { exportSubscribers } from './run.ts';

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

/** Everybody, those of a status, or those of a segment. */
export async function runExport(turn: Turn<ExportWork>): Promise<Outcome<ExportWork>> {
  const { job } = turn;
  const { format, status, segmentId } = job.work;
  const pieces = exportSubscribers(contextOfJob(job, now()), {
    format,
    ...(status && { status }),
    ...(segmentId && { segment: segmentId }),
  });
  const records = await writeFile(turn, pieces, types[format]);
  return { isDone: true, work: { ...job.work, records } };
}
