import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input } from '../../contract/route.ts';
import type { eraseSubscriberRoute, exportSubscriberRoute } from '../../contract/routes/jobs.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { ErasureWork, Job, PersonExportWork } from '../../domain/job.ts';
import type { Text } from '../../language/text.ts';
import { now } from '../../platform/clock.ts';
import type { Context } from '../context.ts';
import { writeExportFile } from '../jobs/exportFile.ts';
import { type ShownJob, shownJob } from '../jobs/jobRecord.ts';
import type { JobRun, JobRunResult } from '../jobs/jobRun.ts';
import { contextOfJob, startJob } from '../jobs/jobs.ts';
import { requireRole } from '../operatorVerb.ts';
import { continueErasure, type ErasureProgress, erasePerson } from './erasePerson.ts';
import { exportPerson } from './exportPerson.ts';

/** Starts a job that erases a person. It reads the whole table. The job itself adds the audit entry. */
export async function startErasure(context: Context, { email }: { readonly email: string }): Promise<Job<ErasureWork>> {
  requireRole(context, 'own');
  const work = {
    kind: 'erasure',
    email: requireAddress(email),
    alias: null,
    position: null,
    scanned: 0,
    records: 0,
  } as const;
  return startJob(context, work);
}

/** Starts a job that writes everything stored about a person to a file, which is kept for a day. */
export async function startPersonExport(
  context: Context,
  { email }: { readonly email: string },
): Promise<Job<PersonExportWork>> {
  requireRole(context, 'change');
  return startJob(context, { kind: 'personExport', email: requireAddress(email), records: 0 });
}

/** Starts an export of a person for an application. */
export async function exportSubscriber(
  context: Context,
  { email }: Input<typeof exportSubscriberRoute>,
): Promise<ShownJob> {
  return shownJob(await startPersonExport(context, { email }));
}

/** Starts an erasure for an application, which names the address twice. */
export async function eraseSubscriber(
  context: Context,
  { email, confirm }: Input<typeof eraseSubscriberRoute>,
): Promise<ShownJob> {
  if (canonicalAddress(confirm) !== requireAddress(email)) {
    throw new ValidationError([{ path: 'confirm', text: otherAddress }]);
  }
  return shownJob(await startErasure(context, { email }));
}

const otherAddress: Text = { en: 'is not the address of the path', fr: 'n’est pas l’adresse du chemin' };

/** The canonical form. Throws `not_found` for what is not an address. */
function requireAddress(email: string): string {
  const address = canonicalAddress(email);
  if (!address) throw new ServiceError('not_found');
  return address;
}

/** The work of an erasure job. It continues at the stored position; erasing a record again changes nothing. */
export async function runErasure(run: JobRun<ErasureWork>): Promise<JobRunResult<ErasureWork>> {
  const { job } = run;
  const { work } = job;
  const { email, position, copiesThrough } = work;
  if (email === null) return { isDone: true, work };
  const after = ({ scanned, records, ...progress }: ErasureProgress): ErasureWork => ({
    ...work,
    ...progress,
    scanned: work.scanned + scanned,
    records: work.records + records,
  });
  const callbacks = {
    report: (progress: ErasureProgress) => run.showProgress(after(progress)),
    isOutOfTime: () => run.isOutOfTime(),
  };
  const context = contextOfJob(job, now());
  const erased = position
    ? await continueErasure(context, { email, from: { position, copiesThrough } }, callbacks)
    : await erasePerson(context, { email }, callbacks);
  return { isDone: erased.position === null, work: after(erased) };
}

/** The work of a person's export job. */
export async function runPersonExport(run: JobRun<PersonExportWork>): Promise<JobRunResult<PersonExportWork>> {
  const { job } = run;
  const { email } = job.work;
  if (email === null) return { isDone: true, work: job.work };
  const pieces = exportPerson(contextOfJob(job, now()), { email });
  const records = await writeExportFile(run, pieces, 'application/json');
  return { isDone: true, work: { ...job.work, records } };
}
