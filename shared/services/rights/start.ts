import { ServiceError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Job } from '../../domain/job/job.ts';
import type { ErasureWork, PersonExportWork } from '../../domain/job/work.ts';
import type { Context } from '../context.ts';
import { startJob } from '../jobs/start.ts';
import { requireOperator } from '../requireOperator.ts';

interface Of {
  readonly email: string;
}

/** Lets a person be erased in the background: the whole table is looked through. The deed itself is in the audit log. */
export async function startErasure(context: Context, { email }: Of): Promise<Job<ErasureWork>> {
  requireOperator(context, 'own');
  const work = {
    kind: 'erasure',
    email: canonical(email),
    alias: null,
    position: null,
    scanned: 0,
    records: 0,
  } as const;
  return startJob(context, work);
}

/** Lets all that is held about a person be written to a file, which is kept for a day. */
export async function startPersonExport(context: Context, { email }: Of): Promise<Job<PersonExportWork>> {
  requireOperator(context, 'change');
  return startJob(context, { kind: 'personExport', email: canonical(email), records: 0 });
}

function canonical(email: string): string {
  const address = canonicalAddress(email);
  if (!address) throw new ServiceError('not_found');
  return address;
}
