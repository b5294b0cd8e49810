import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { Job } from '../../../domain/job/job.ts';
import { type ImportWork, maxImportBytes, newImportProgress } from '../../../domain/job/work.ts';
import type { SuppressionReason } from '../../../domain/person/suppression.ts';
import { text } from '../../../language/text.ts';
import type { Context } from '../../context.ts';
import { prepareJob } from '../../jobs/start.ts';
import { requireOperator } from '../../requireOperator.ts';
import { existingWorkspace } from '../../workspaces/existing.ts';

interface ImportAnnounced {
  readonly filename: string;
  readonly bytes: number;
  /** A list of addresses that get no mail, for this reason where it gives none; else people. */
  readonly suppressAs: SuppressionReason | null;
}

/** Announces a file whose pieces follow. Nothing is imported before `beginImport`. Throws `validation_error`. */
export async function prepareImport(
  context: Context,
  { filename, bytes, suppressAs }: ImportAnnounced,
): Promise<Job<ImportWork>> {
  requireOperator(context, 'change');
  await existingWorkspace(context.workspaceId);
  if (bytes <= 0) throw new ValidationError([{ path: 'file', text: empty }]);
  if (bytes > maxImportBytes) throw new ValidationError([{ path: 'file', text: tooLarge }]);
  if (filename.length > 255) throw new ServiceError('validation_error');
  return prepareJob(context, {
    kind: 'import',
    filename: nameOnly(filename),
    bytes,
    received: 0,
    columns: null,
    consentGiven: null,
    suppressAs,
    progress: newImportProgress(),
  });
}

/** Without folders, and without what could take part in the lines of a proof of consent. */
const nameOnly = (filename: string): string =>
  filename.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').trim() || 'file.csv';

const empty = text({ en: 'is empty', fr: 'est vide' });
const tooLarge = text({ en: 'is larger than 1 GB: split it', fr: 'dépasse 1 Go : découpez-le' });
