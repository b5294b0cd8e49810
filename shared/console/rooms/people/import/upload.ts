import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { type ImportWork, pieceBytes } from '../../../../domain/job/work.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { addImportPiece } from '../../../../services/imports/background/addPiece.ts';
import { prepareImport } from '../../../../services/imports/background/prepare.ts';
import { listJobs } from '../../../../services/jobs/list.ts';
import { uploadFiles } from '../../../assets/islands.ts';
import {
  type ConsoleCall,
  type ConsoleReply,
  dataOf,
  may,
  placeOf,
  redirect,
  type UploadedFile,
} from '../../../call.ts';
import { type Filled, problemsOf, tokenField, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, emptyOf, momentOf, numberOf, tableOf } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { frameTexts } from '../../../frame/texts.ts';
import { stateTag } from '../jobs/parts.ts';
import { importTexts as texts } from './texts.ts';

/** People, or addresses that get no mail. */
type ListOf = 'people' | 'suppression';

export const importPath = (id: string): string => `/people/import/${encodeURIComponent(id)}`;

/** A file is chosen here; those of the last weeks stand below. */
export async function showImports(call: ConsoleCall, list: ListOf, filled: Filled = untouched): Promise<ConsoleReply> {
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
    html`<a href="${placeOf(call, importPath(id))}"><bdi>${work.filename}</bdi></a>`,
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
    room: list,
    parent: { label: frameTexts[list][language], path: `/${list}` },
    title,
    lead: texts.lead[language],
    body: html`${may(call, 'change') ? cardOf(null, uploadForm(call, list, filled)) : null}${cardOf(texts.earlier[language], earlier)}`,
    status: filled.issues.length > 0 ? 422 : 200,
    isWrong: filled.issues.length > 0,
    files: uploadFiles,
  });
}

function uploadForm(call: ConsoleCall, list: ListOf, filled: Filled): Html {
  const { language, formToken } = call;
  const problems = filled.issues.filter(({ path }) => path === 'file').map(({ text }) => text[language]);
  const said = problems.length > 0 ? html` aria-invalid="true"` : null;
  return html`${problemsOf(filled, language, ['file'])}<form method="post" enctype="multipart/form-data" action="${placeOf(call, '/people/import')}" class="stack" novalidate data-upload data-piece-bytes="${pieceBytes}" data-broken="${texts.broken[language]}">
<input type="hidden" name="${tokenField}" value="${formToken}"><input type="hidden" name="list" value="${list}">
<div class="field"><label for="file">${texts.file[language]}</label><p class="hint" id="file-hint">${texts.fileHint[language]}</p>
<input type="file" id="file" name="file" accept=".csv,text/csv,.txt,.tsv"${said} aria-describedby="file-hint file-problem">
<p class="problem" id="file-problem" data-said role="status">${problems.join('; ')}</p></div>
<p><progress hidden aria-label="${texts.upload[language]}"></progress></p><button>${texts.upload[language]}</button></form>`;
}

const listOf = ({ form }: ConsoleCall): ListOf => (form.get('list') === 'suppression' ? 'suppression' : 'people');

/** A small file whole, or the first piece of one that a script sends. */
export async function announceImport(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request } = call;
  const list = listOf(call);
  const file = request.files.get('file');
  const act = async (): Promise<ConsoleReply> => {
    const { filename, bytes } = announced(form, file);
    const suppressAs = list === 'suppression' ? 'manual' : null;
    const { id } = await prepareImport(context, { filename, bytes, suppressAs });
    const { work } = await addImportPiece(context, { id, piece: 0, bytes: file?.bytes ?? new Uint8Array() });
    const place = placeOf(call, importPath(id));
    return isByScript(form) ? received(call, id, work) : redirect(place);
  };
  if (isByScript(form)) return told(call, act);
  return submitted(call, act, (filled) => showImports(call, list, filled));
}

function announced(form: URLSearchParams, file: UploadedFile | undefined): { filename: string; bytes: number } {
  if (isByScript(form)) return { filename: form.get('filename') ?? '', bytes: Number(form.get('bytes')) || 0 };
  if (!file || (file.filename === '' && file.bytes.length === 0)) {
    throw new ValidationError([{ path: 'file', text: texts.fileMissing }]);
  }
  if (file.bytes.length > pieceBytes) throw new ValidationError([{ path: 'file', text: texts.fileLarge }]);
  return { filename: file.filename, bytes: file.bytes.length };
}

/** A further piece. */
export async function addPiece(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request, parameters } = call;
  const { id = '' } = parameters;
  return told(call, async () => {
    const bytes = request.files.get('file')?.bytes ?? new Uint8Array();
    const { work } = await addImportPiece(context, { id, piece: Number(form.get('piece')), bytes });
    return received(call, id, work);
  });
}

const isByScript = (form: URLSearchParams): boolean => form.get('script') === 'yes';

const received = (call: ConsoleCall, id: string, work: ImportWork): ConsoleReply =>
  dataOf({
    place: placeOf(call, importPath(id)),
    action: placeOf(call, `${importPath(id)}/pieces`),
    received: work.received,
  });

/** What is refused is told to the script in words. */
async function told({ language }: ConsoleCall, act: () => Promise<ConsoleReply>): Promise<ConsoleReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    const issues = error.issues.map(({ text }) => text[language]);
    return dataOf({ said: issues.length > 0 ? issues.join('; ') : error.text[language] }, 422);
  }
}
