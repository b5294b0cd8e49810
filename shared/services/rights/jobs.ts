import type { ErasureWork, PersonExportWork } from '../../domain/job/work.ts';
import { now } from '../../platform/clock.ts';
import { contextOfJob } from '../jobs/start.ts';
import type { Outcome, Turn } from '../jobs/turn.ts';
import { writeFile } from '../jobs/writeFile.ts';
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

/** What is held about a person. Their address goes with the last word of it. */
export async function runPersonExport(turn: Turn<PersonExportWork>): Promise<Outcome<PersonExportWork>> {
  const { job } = turn;
  const { email } = job.work;
  if (email === null) return { isDone: true, work: job.work };
  const pieces = exportPerson(contextOfJob(job, now()), { email });
  const records = await writeFile(turn, pieces, 'application/json');
  return { isDone: true, work: { ...job.work, email: null, records } };
}
