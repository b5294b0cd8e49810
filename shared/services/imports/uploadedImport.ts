import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createImportRoute, startImportRoute } from '../../contract/routes/imports.ts';
import { type DeclaredColumn, type ImportWork, type Job, newImportProgress, pieceBytes } from '../../domain/job.ts';
import { uploadAddressSeconds } from '../../domain/message/attachment.ts';
import { defaultSender, type Workspace } from '../../domain/workspace/workspace.ts';
import { textsOf } from '../../language/text.ts';
import type { UploadAddress } from '../../store/files/bucket.ts';
import { headOfUpload, presignImport } from '../../store/files/importFiles.ts';
import { type Context, newId } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { type ShownJob, shownJob } from '../jobs/jobRecord.ts';
import { beginJob, findJob, prepareJob } from '../jobs/jobs.ts';
import { operatorVerb, requireRole } from '../operatorVerb.ts';
import { requireSender } from '../subscribers/saveSubscriber.ts';
import { countUpload } from '../uploads.ts';
import { nameOnly } from './importJob.ts';
import { checkDeclared, columnsInOrder } from './internal/declaredColumns.ts';
import { firstRows } from './internal/fileHead.ts';

type NewImport = Pick<Input<typeof createImportRoute>, 'filename' | 'size' | 'kind' | 'consent_given' | 'columns'>;
type CreatedImport = Output<typeof createImportRoute>;
type ImportToStart = Pick<Input<typeof startImportRoute>, 'id'>;

/**
 * Announces a file to import. Nothing is imported before `startImport`. Its kept answer has no address: see
 * `withUpload`.
 */
export async function createImport(context: Context, input: NewImport): Promise<CreatedImport> {
  requireRole(context, 'change');
  const { workspaceId, now } = context;
  const workspace = await existingWorkspace(workspaceId);
  const declared = input.columns.map(declaredColumn);
  checkDeclared(declared);
  const isSuppression = input.kind === 'suppression';
  if (!isSuppression && input.consent_given !== true) requireConfirmable(workspace);
  await countUpload(workspaceId, input.size, now);
  const work: ImportWork = {
    kind: 'import',
    filename: nameOnly(input.filename),
    bytes: input.size,
    received: 0,
    upload: { declared, etag: null },
    columns: null,
    consentGiven: isSuppression ? null : input.consent_given === true,
    suppressAs: isSuppression ? 'manual' : null,
    progress: newImportProgress(),
  };
  const job = await announceImport(context, { id: newId(context, 'job'), work });
  return { ...shownJob(job), upload: { url: '', headers: {} } };
}

const declaredColumn = ({ header, as, field }: NewImport['columns'][number]): DeclaredColumn => ({
  header,
  column: as === 'field' ? { kind: 'field', name: field ?? '' } : { kind: as },
});

/** Before the file is uploaded, since each of its people would be refused. */
function requireConfirmable(workspace: Workspace): void {
  if (!defaultSender(workspace)) throw new ValidationError([{ path: 'consent_given', text: texts.noSender }]);
  requireSender(workspace);
}

interface AnnouncedImport {
  readonly id: string;
  readonly work: ImportWork;
}

/** Who answers for the consent is an entry of the audit log, as in the console. */
const announceImport = /* @__PURE__ */ operatorVerb(
  {
    action: 'subscriber.import.plan',
    needs: 'change',
    subject: ({ id }: AnnouncedImport) => id,
    note: ({ work: { consentGiven, suppressAs } }: AnnouncedImport) =>
      suppressAs === null ? (consentGiven ? 'consent_given' : 'double_opt_in') : `suppress: ${suppressAs}`,
    byKeys: 'audited',
  },
  (context: Context, { id, work }: AnnouncedImport) => prepareJob(context, work, id),
);

/** What `createImport` returned, with an address for the file that is good for an hour. */
export async function withUpload({ workspaceId, now }: Context, created: CreatedImport): Promise<CreatedImport> {
  const { work } = await findJob(workspaceId, created.id, 'import');
  return { ...created, upload: await addressOf({ workspaceId, id: created.id }, work.bytes, now) };
}

const addressOf = (job: Pick<Job, 'workspaceId' | 'id'>, bytes: number, now: Date): Promise<UploadAddress> =>
  presignImport(job, bytes, { now, expiresInSeconds: uploadAddressSeconds });

/**
 * Starts an import whose file has arrived, after a look at its first line. Idempotent. Throws `not_found`, `conflict`
 * before the file has arrived or after the import has ended, and `validation_error` for a file that is not as declared.
 */
export const startImport = /* @__PURE__ */ operatorVerb(
  {
    action: 'subscriber.import',
    needs: 'change',
    subject: ({ id }: ImportToStart) => id,
    byKeys: 'audited',
  },
  async (context: Context, { id }: ImportToStart): Promise<ShownJob> => {
    const { workspaceId, now } = context;
    const job = await findJob(workspaceId, id, 'import');
    if (hasStarted(job)) return shownJob(job);
    if (job.state !== 'preparing') throw new ServiceError('conflict', { text: texts.ended });
    if (!job.work.upload) throw new ServiceError('conflict', { text: texts.ofConsole });
    const begun = await beginJob({ ...job, work: await checkedWork(job, job.work.upload) }, now);
    if (begun) return shownJob(begun);
    // Another call was faster: the same start, or a cancellation.
    const changed = await findJob(workspaceId, id, 'import');
    if (hasStarted(changed)) return shownJob(changed);
    throw new ServiceError('conflict', { text: texts.ended });
  },
);

const hasStarted = ({ state }: Job): boolean => state === 'running' || state === 'done';

async function checkedWork(job: Job<ImportWork>, upload: NonNullable<ImportWork['upload']>): Promise<ImportWork> {
  const { work } = job;
  const head = await headOfUpload(job);
  if (!head) throw new ServiceError('conflict', { text: texts.notArrived });
  if (head.total !== work.bytes) throw new ValidationError([{ path: 'size', text: texts.otherSize }]);
  const { header } = await firstRows(work.filename, head.bytes, work.bytes <= pieceBytes);
  const columns = columnsInOrder(header.cells, upload.declared, { isSuppression: work.suppressAs !== null });
  // The job is written after each batch: what was declared is in `columns` now.
  return { ...work, columns, upload: { declared: [], etag: head.etag } };
}

const texts = textsOf({
  notArrived: {
    en: 'The file has not arrived: PUT it to the address of the answer to POST /imports, then start the import.',
    fr: 'Le fichier n’est pas arrivé : envoyez-le par PUT à l’adresse reçue de POST /imports, puis lancez l’import.',
  },
  otherSize: { en: 'is not that of the file', fr: 'n’est pas celle du fichier' },
  ended: { en: 'This import has ended already.', fr: 'Cet import est déjà terminé.' },
  noSender: {
    en: 'needs a default sender of the workspace, from which the confirmations come; register one, or answer for the consent with "true"',
    fr: 'demande un expéditeur par défaut de l’espace, d’où partent les confirmations ; enregistrez-en un, ou répondez du consentement avec « true »',
  },
  ofConsole: {
    en: 'The file of this import is uploaded and started in the console.',
    fr: 'Le fichier de cet import est téléversé et lancé dans la console.',
  },
});
