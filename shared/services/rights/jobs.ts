import type { ErasureWork, PersonExportWork } from '../../domain/job/work.ts';
import { now } from '../../platform/clock.ts';
import { contextOfJob } from '../jobs/start.ts';
import type { Outcome, Turn } from '../jobs/turn.ts';
import { writeFile } from '../jobs/writeFile.ts';
import { continueErasure, type ErasureProgress, erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';

/** A turn at an erasure, from where the last one stood in the table; what was changed after that is found changed. */
export async function runErasure(turn: Turn<ErasureWork>): Promise<Outcome<ErasureWork>> {
  const { job } = turn;
  const { work } = job;
  const { email, position: from } = work;
  if (email === null) return { isDone: true, work };
  const after = ({ alias, scanned, records, position }: ErasureProgress): ErasureWork => ({
    ...work,
    alias,
    position,
    scanned: work.scanned + scanned,
    records: work.records + records,
  });
  const pace = {
    report: (progress: ErasureProgress) => turn.noteSometimes(after(progress)),
    isOver: () => turn.isOver(),
  };
  const context = contextOfJob(job, now());
  const erased = from
    ? await continueErasure(context, { email, from }, pace)
    : await erasePerson(context, { email }, pace);
  return { isDone: erased.position === null, work: after(erased) };
}

/** What is held about a person. */
export async function runPersonExport(turn: Turn<PersonExportWork>): Promise<Outcome<PersonExportWork>> {
  const { job } = turn;
  const { email } = job.work;
  if (email === null) return { isDone: true, work: job.work };
  const pieces = exportPerson(contextOfJob(job, now()), { email });
  const records = await writeFile(turn, pieces, 'application/json');
  return { isDone: true, work: { ...job.work, records } };
}
