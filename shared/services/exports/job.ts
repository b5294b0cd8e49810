import type { ExportWork } from '../../domain/job/work.ts';
import { now } from '../../platform/clock.ts';
import { exportKey } from '../../store/files/keys.ts';
import { putStream } from '../../store/files/multipart.ts';
import { contextOfJob } from '../jobs/start.ts';
import type { Outcome, Turn } from '../jobs/turn.ts';
import { exportSubscribers } from './run.ts';

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

/** Writes the file whole. Whoever dies at it has written nothing that anybody sees: the next turn begins anew. */
export async function runExport(turn: Turn<ExportWork>): Promise<Outcome<ExportWork>> {
  const { job } = turn;
  const { format, status, segmentId } = job.work;
  const pieces = exportSubscribers(contextOfJob(job, now()), {
    format,
    ...(status && { status }),
    ...(segmentId && { segment: segmentId }),
  });
  let records = 0;
  async function* content(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      records += piece.records;
      await turn.noteSometimes({ ...job.work, records });
      yield piece.text;
    }
  }
  await putStream(exportKey(job.workspaceId, job.id), content(), types[format]);
  return { isDone: true, work: { ...job.work, records } };
}
