import { ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { type ImportWork, pieceBytes } from '../../../../../domain/job.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { addImportPiece, prepareImport } from '../../../../../services/imports/importJob.ts';
import { listJobs } from '../../../../../services/jobs/jobs.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, may, redirect, type UploadedFile } from '../../../../call.ts';
import { cardOf, emptyOf, momentOf, numberOf, tableOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, problemsOf, submitForm, tokenField } from '../../../../layout/form.ts';
import { layoutTexts } from '../../../../layout/layoutTexts.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { stateTag } from '../jobs/jobElements.ts';
import { importTexts as texts } from './importTexts.ts';

/** The kind of list in a file: people, or suppressed addresses. */
type ListOf = 'people' | 'suppression';

export const importPath = (id: string): string => `/people/import/${encodeURIComponent(id)}`;

/** The upload form, and the imports of the last weeks. */
export async function showImports(
  call: ConsoleCall,
  list: ListOf,
  filled: FormState = emptyForm,
): Promise<ConsoleReply> {
  const { language } = call;
  const title = (list === 'people' ? texts.title : texts.suppressionTitle)[language];
  const jobs = await listJobs(call.context, { kinds: ['import'] });
  const own = jobs.flatMap(({ work, ...job }) =>
    work.kind === 'import' && (work.suppressAs !== null) === (list === 'suppression') ? { ...job, work } : [],
  );
  const columns = [texts.file, texts.state, texts.lines, texts.refused, texts.began, texts.by].map((label, index) => ({
    label: label[language],
    isNumber: index === 2 || index === 3,
  }));
  const rows = own.map(({ id, state, work, createdAt, by }) => [
    html`<a href="${pathOf(call, importPath(id))}"><bdi>${work.filename}</bdi></a>`,
    stateTag(state, language),
    numberOf(work.progress.rows, language),
    numberOf(work.progress.refused, language),
    momentOf(createdAt, language),
    html`<bdi>${by.name}</bdi>`,
  ]);
  const earlier =
    rows.length > 0
      ? tableOf(texts.earlier[language], columns, rows)
      : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageOf(call, {
    section: list,
    parent: { label: layoutTexts[list][language], path: `/${list}` },
    title,
    lead: texts.lead[language],
    body: html`${may(call, 'change') ? cardOf(null, uploadForm(call, list, filled)) : null}${cardOf(texts.earlier[language], earlier)}`,
    status: filled.issues.length > 0 ? 422 : 200,
    isWrong: filled.issues.length > 0,
    files: { script: 'upload.js' },
  });
}

function uploadForm(call: ConsoleCall, list: ListOf, filled: FormState): Html {
  const { language, formToken } = call;
  const problems = filled.issues.filter(({ path }) => path === 'file').map(({ text }) => text[language]);
  const invalid = problems.length > 0 ? html` aria-invalid="true"` : null;
  return html`${problemsOf(filled, language, ['file'])}<form method="post" enctype="multipart/form-data" action="${pathOf(call, '/people/import')}" class="stack" novalidate data-upload data-piece-bytes="${pieceBytes}" data-broken="${texts.broken[language]}">
<input type="hidden" name="${tokenField}" value="${formToken}"><input type="hidden" name="list" value="${list}">
<div class="field"><label for="file">${texts.file[language]}</label><p class="hint" id="file-hint">${texts.fileHint[language]}</p>
<input type="file" id="file" name="file" accept=".csv,text/csv,.txt,.tsv"${invalid} aria-describedby="file-hint file-problem">
<p class="problem" id="file-problem" data-message role="status">${problems.join('; ')}</p></div>
<p><progress hidden aria-label="${texts.upload[language]}"></progress></p><button>${texts.upload[language]}</button></form>`;
}

const listOf = ({ form }: ConsoleCall): ListOf => (form.get('list') === 'suppression' ? 'suppression' : 'people');

/** Receives a small file whole, or the first piece that the script sends. */
export async function announceImport(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request } = call;
  const list = listOf(call);
  const file = request.files.get('file');
  const act = async (): Promise<ConsoleReply> => {
    const { filename, bytes } = announced(form, file);
    const suppressAs = list === 'suppression' ? 'manual' : null;
    const { id } = await prepareImport(context, { filename, bytes, suppressAs });
    const { work } = await addImportPiece(context, { id, piece: 0, bytes: file?.bytes ?? new Uint8Array() });
    const place = pathOf(call, importPath(id));
    return isByScript(form) ? received(call, id, work) : redirect(place);
  };
  if (isByScript(form)) return refusalAsText(call, act);
  return submitForm(call, act, (filled) => showImports(call, list, filled));
}

function announced(form: URLSearchParams, file: UploadedFile | undefined): { filename: string; bytes: number } {
  if (isByScript(form)) return { filename: form.get('filename') ?? '', bytes: Number(form.get('bytes')) || 0 };
  if (!file || (file.filename === '' && file.bytes.length === 0)) {
    throw new ValidationError([{ path: 'file', text: texts.fileMissing }]);
  }
  if (file.bytes.length > pieceBytes) throw new ValidationError([{ path: 'file', text: texts.fileLarge }]);
  return { filename: file.filename, bytes: file.bytes.length };
}

/** Receives a further piece. */
export async function addPiece(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request, parameters } = call;
  const { id = '' } = parameters;
  return refusalAsText(call, async () => {
    const bytes = request.files.get('file')?.bytes ?? new Uint8Array();
    const { work } = await addImportPiece(context, { id, piece: Number(form.get('piece')), bytes });
    return received(call, id, work);
  });
}

const isByScript = (form: URLSearchParams): boolean => form.get('script') === 'yes';

const received = (call: ConsoleCall, id: string, work: ImportWork): ConsoleReply =>
  dataOf({
    page: pathOf(call, importPath(id)),
    piecesAction: pathOf(call, `${importPath(id)}/pieces`),
    received: work.received,
  });

/** Returns a refusal to the script as text. */
async function refusalAsText({ language }: ConsoleCall, act: () => Promise<ConsoleReply>): Promise<ConsoleReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    const issues = error.issues.map(({ text }) => text[language]);
    return dataOf({ message: issues.length > 0 ? issues.join('; ') : error.text[language] }, 422);
  }
}
