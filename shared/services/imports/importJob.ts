import { ServiceError, ValidationError } from '../../contract/errors.ts';
import {
  type Column,
  type ImportWork,
  type Job,
  maxImportBytes,
  newImportProgress,
  pieceBytes,
  piecesOf,
} from '../../domain/job.ts';
import type { SuppressionReason } from '../../domain/person/person.ts';
import { text } from '../../language/text.ts';
import { presignGet, refusedReportKey } from '../../store/files/bucket.ts';
import { putImportPiece } from '../../store/files/importFiles.ts';
import { changeJob } from '../../store/jobs.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { beginJob, findJob, prepareJob } from '../jobs/jobs.ts';
import { operatorVerb, requireOperator } from '../operatorVerb.ts';
import { requireSender } from '../subscribers/saveSubscriber.ts';
import { problemsOfColumns } from './internal/columns.ts';

interface NewImport {
  readonly filename: string;
  readonly bytes: number;
  /** For a list of addresses to suppress: the reason for lines without one. Null for a list of people. */
  readonly suppressAs: SuppressionReason | null;
}

/** Prepares an import whose file is uploaded in pieces. Nothing is imported before `beginImport`. Throws `validation_error`. */
export async function prepareImport(
  context: Context,
  { filename, bytes, suppressAs }: NewImport,
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
    upload: null,
    columns: null,
    consentGiven: null,
    suppressAs,
    progress: newImportProgress(),
  });
}

/** The name without folders and control characters, since it becomes part of the proof of consent. */
export const nameOnly = (filename: string): string =>
  filename.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').trim() || 'file.csv';

const empty = text({ en: 'is empty', fr: 'est vide' });
const tooLarge = text({ en: 'is larger than 1 GB: split it', fr: 'dépasse 1 Go : découpez-le' });

interface Piece {
  readonly id: string;
  readonly piece: number;
  readonly bytes: Uint8Array;
}

/**
 * Stores the next piece of a file. Idempotent: a piece that is already stored is accepted again. Throws `conflict` for a
 * piece out of order or of the wrong size.
 */
export async function addImportPiece(context: Context, { id, piece, bytes }: Piece): Promise<Job<ImportWork>> {
  requireOperator(context, 'change');
  const job = await findJob(context.workspaceId, id, 'import');
  const { work } = job;
  if (work.upload) throw outOfOrder();
  if (piece < work.received) return job;
  if (job.state !== 'preparing' || piece !== work.received || bytes.length !== sizeOf(work, piece)) throw outOfOrder();
  // The piece is stored first, so that `received` never counts a missing one.
  await putImportPiece(job, piece, bytes);
  const received = await changeJob(job, { work: { ...work, received: piece + 1 } });
  if (!received) throw outOfOrder();
  return received;
}

const sizeOf = ({ bytes }: ImportWork, piece: number): number =>
  piece === piecesOf(bytes) - 1 ? bytes - piece * pieceBytes : pieceBytes;

export const isUploadComplete = ({ bytes, received, upload }: ImportWork): boolean =>
  upload ? upload.etag !== null : received === piecesOf(bytes);

const outOfOrder = () =>
  new ServiceError('conflict', {
    text: text({
      en: 'This is not the next piece of the file: start the upload again.',
      fr: 'Ce n’est pas la partie attendue du fichier : recommencez l’envoi.',
    }),
  });

interface ImportPlan {
  readonly id: string;
  readonly columns: readonly Column[];
  /** True when the operator answers for the consent; null for a list of addresses to suppress. */
  readonly consentGiven: boolean | null;
  readonly suppressAs: SuppressionReason | null;
}

/** Throws `validation_error` unless there is an address column and no column occurs twice. */
function checkColumns(columns: readonly Column[]): void {
  const problems = problemsOfColumns(columns).map(({ path, text }) => ({ path: `columns.${path}`, text }));
  if (problems.length > 0) throw new ValidationError(problems);
}

/**
 * Stores the meaning of the columns and, here and in the audit log, who answers for the consent. Nothing is imported yet.
 * Throws `not_found`, `conflict` for an import that has begun, `validation_error`.
 */
export const planImport = /* @__PURE__ */ operatorVerb(
  {
    action: 'subscriber.import.plan',
    needs: 'change',
    subject: ({ id }: ImportPlan) => id,
    note: ({ consentGiven, suppressAs }: ImportPlan) =>
      suppressAs === null ? (consentGiven ? 'consent_given' : 'double_opt_in') : `suppress: ${suppressAs}`,
  },
  async (context: Context, { id, columns, consentGiven, suppressAs }: ImportPlan): Promise<Job<ImportWork>> => {
    checkColumns(columns);
    if (consentGiven === false) requireSender(await existingWorkspace(context.workspaceId));
    const job = await findJob(context.workspaceId, id, 'import');
    const planned =
      job.state === 'preparing'
        ? await changeJob(job, { work: { ...job.work, columns: [...columns], consentGiven, suppressAs } })
        : null;
    if (!planned) throw new ServiceError('conflict');
    return planned;
  },
);

interface ImportStart {
  readonly id: string;
  /** The revision of the job that the operator was shown. */
  readonly seen: number;
}

/**
 * Starts a planned import in the background. Idempotent. Throws `not_found`, and `conflict` for an import without a plan
 * or with another plan than the operator was shown.
 */
export const beginImport = /* @__PURE__ */ operatorVerb(
  { action: 'subscriber.import', needs: 'change', subject: ({ id }: ImportStart) => id },
  async (context: Context, { id, seen }: ImportStart): Promise<Job<ImportWork>> => {
    const job = await findJob(context.workspaceId, id, 'import');
    if (job.state === 'running' || job.state === 'done') return job;
    const { columns, consentGiven, suppressAs } = job.work;
    const isPlanned = columns !== null && (consentGiven !== null || suppressAs !== null) && isUploadComplete(job.work);
    if (!isPlanned || job.state !== 'preparing') throw new ServiceError('conflict');
    const begun = job.revision === seen ? await beginJob(job, context.now) : null;
    if (!begun) throw new ServiceError('conflict', { text: changedMeanwhile });
    return begun;
  },
);

const changedMeanwhile = text({
  en: 'This import was changed in the meantime. Its current settings are shown below: check them before you start it.',
  fr: 'Cet import a été modifié entre-temps. Ses réglages actuels sont affichés ci-dessous : vérifiez-les avant de le lancer.',
});

/** A presigned URL to download the refused lines. Throws `not_found` when there are none. */
export const importReport = /* @__PURE__ */ operatorVerb(
  { action: 'import.report', needs: 'change', subject: ({ id }) => id },
  async ({ workspaceId, now }: Context, { id }: { readonly id: string }): Promise<string> => {
    const { state, work } = await findJob(workspaceId, id, 'import');
    if ((state !== 'done' && state !== 'failed') || work.progress.refused === 0) throw new ServiceError('not_found');
    const saveAs = `${id}-refused.csv`;
    return presignGet(refusedReportKey(workspaceId, id), { saveAs, now });
  },
);
