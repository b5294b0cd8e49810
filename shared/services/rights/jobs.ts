import type { ErasureWork, PersonExportWork } from '../../domain/job/work.ts';
import { now } from '../../platform/clock.ts';
import { exportKey } from '../../store/files/keys.ts';
import { putStream } from '../../store/files/multipart.ts';
import { contextOfJob } from '../jobs/start.ts';
import type { Outcome, Turn } from '../jobs/turn.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';

/** Done again after a crash it changes what is left. The address goes with the last word of it. */
export async function runErasure(turn: Turn<ErasureWork>): Promise<Outcome<ErasureWork>> {
  const { job } = turn;
  const { email } = job.work;
  if (email === null) return { isDone: true, work: job.work };
  let scanned = 0;
  const { alias, records } = await erasePerson(contextOfJob(job, now()), { email }, async (progress) => {
    scanned = progress.scanned;
    await turn.noteSometimes({ ...job.work, ...progress });
  });
  return { isDone: true, work: { ...job.work, email: null, alias, scanned, records } };
}

/** Writes the file whole, as every export. */
export async function runPersonExport(turn: Turn<PersonExportWork>): Promise<Outcome<PersonExportWork>> {
  const { job } = turn;
  const { email } = job.work;
  if (email === null) return { isDone: true, work: job.work };
  const pieces = exportPerson(contextOfJob(job, now()), { email });
  let records = 0;
  async function* content(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      records += piece.records;
      await turn.noteSometimes({ ...job.work, records });
      yield piece.text;
    }
  }
  await putStream(exportKey(job.workspaceId, job.id), content(), 'application/json');
  return { isDone: true, work: { ...job.work, email: null, records } };
}
