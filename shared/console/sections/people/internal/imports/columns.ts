import { ValidationError } from '../../../../../contract/errors.ts';
import { fieldName } from '../../../../../contract/schemas/subscriber.ts';
import { type Column, type ImportedStatus, importedStatuses, plainColumns } from '../../../../../domain/job.ts';
import { type SuppressionReason, suppressionReasons } from '../../../../../domain/person/person.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { planImport } from '../../../../../services/imports/importJob.ts';
import { type ImportPreview, previewImport } from '../../../../../services/imports/previewImport.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../../call.ts';
import { cardOf, tableOf } from '../../../../layout/elements.ts';
import { type FormState, field, formOf, problemsOf, submitForm, ticks } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { reasonTexts } from '../../../suppression/suppressionPages.ts';
import { peopleTexts } from '../peopleTexts.ts';
import { columnTexts, everybodyTexts, importTexts as texts } from './importTexts.ts';
import { importPath } from './upload.ts';

/** The kinds of columns that an import of suppressed addresses reads. */
const ofSuppression = ['ignored', 'email', 'reason', 'status'] as const;

/** The page on which the operator chooses the meaning of the columns and answers for the consent. */
export function columnsPage(call: ConsoleCall, looked: ImportPreview, filled: FormState): ConsoleReply {
  const { language } = call;
  const { job, header, columns, rows } = looked;
  const isSuppression = job.work.suppressAs !== null;
  const lines = header.map((title, index) => [
    html`<bdi>${title || '–'}</bdi>`,
    html`<span class="small soft">${rows.slice(0, 3).map(({ cells }) => html`<bdi>${clip(cells[index] ?? '')}</bdi><br>`)}</span>`,
    choiceOf(call, filled, index, title, columns[index] ?? { kind: 'ignored' }, isSuppression),
  ]);
  const labels = [texts.column, texts.examples, texts.takenAs].map((label) => ({ label: label[language] }));
  const table = tableOf(texts.columns[language], labels, lines);
  const question = isSuppression
    ? reasonQuestion(call, filled, job.work.suppressAs)
    : consentQuestion(call, filled, looked);
  const form = formOf(
    call,
    { action: pathOf(call, importPath(job.id)), className: '' },
    html`${table}<div class="card-foot">${question}<button>${texts.look[language]}</button></div>`,
  );
  const isWrong = filled.issues.length > 0;
  const own = ['columns', 'consent', 'reason'];
  return pageOf(call, {
    section: isSuppression ? 'suppression' : 'people',
    parent: parentOf(call, isSuppression),
    title: texts.columns[language],
    lead: html`<bdi>${job.work.filename}</bdi>`,
    body: cardOf(null, html`${problemsOf(filled, language, own)}${columnProblems(filled, language)}${form}`),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

export const parentOf = ({ language }: ConsoleCall, isSuppression: boolean) =>
  isSuppression
    ? { label: texts.suppressionTitle[language], path: '/suppression/import' }
    : { label: texts.title[language], path: '/people/import' };

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function choiceOf(
  { language }: ConsoleCall,
  filled: FormState,
  index: number,
  title: string,
  column: Column,
  isSuppression: boolean,
): Html {
  const name = `column-${index}`;
  const chosen = filled.values.get(name) ?? wordOf(column);
  const kinds = isSuppression ? ofSuppression : [...plainColumns.filter((kind) => kind !== 'reason'), 'field' as const];
  const options = [
    ...kinds.map((kind) => [kind, columnTexts[kind][language]] as const),
    ...(column.kind === 'everybody' ? [[wordOf(column), everybodyTexts[column.standing][language]] as const] : []),
  ].map(
    ([value, label]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`,
  );
  const fieldValue = filled.values.get(`field-${index}`) ?? (column.kind === 'field' ? column.name : '');
  const own = isSuppression
    ? null
    : html`<input name="field-${index}" value="${fieldValue}" aria-label="${texts.fieldName[language]}: ${title}" placeholder="${texts.fieldName[language]}" autocomplete="off" spellcheck="false">`;
  return html`<div class="choice"><select name="${name}" aria-label="${title || String(index + 1)}">${options}</select>${own}</div>`;
}

const wordOf = (column: Column): string => (column.kind === 'everybody' ? `everybody:${column.standing}` : column.kind);

function columnProblems({ issues }: FormState, language: ConsoleCall['language']): Html | null {
  const own = issues.filter(({ path }) => path.startsWith('columns'));
  if (own.length === 0) return null;
  const messages = own.map(({ path, text }) => {
    const name = path.slice('columns.'.length);
    return html`<p class="problem">${name === 'email' ? '' : `${labelOf(name, language)}: `}${text[language]}</p>`;
  });
  return html`${messages}`;
}

const labelOf = (name: string, language: ConsoleCall['language']): string =>
  Object.hasOwn(columnTexts, name) ? columnTexts[name as keyof typeof columnTexts][language] : name;

function consentQuestion({ language }: ConsoleCall, filled: FormState, { job }: ImportPreview): Html {
  const { consentGiven } = job.work;
  const chosen = consentGiven === null ? [] : [consentGiven ? 'given' : 'ask'];
  return ticks(filled, language, {
    name: 'consent',
    legend: texts.consent[language],
    type: 'radio',
    chosen,
    choices: [
      { value: 'ask', label: texts.ask[language], hint: texts.askHint[language] },
      { value: 'given', label: texts.given[language], hint: texts.givenHint[language] },
    ],
  });
}

function reasonQuestion({ language }: ConsoleCall, filled: FormState, reason: SuppressionReason | null): Html {
  const options = suppressionReasons.map((one) => [one, reasonTexts[one][language]] as const);
  return field(filled, language, { name: 'reason', label: texts.reason[language], options, value: reason ?? 'manual' });
}

/** Stores the choices and redirects to the check. */
export async function planOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id = '' } = parameters;
  const { job, header } = await previewImport(context, { id });
  const act = async () => {
    const columns = header.map((_, index) => columnIn(form, index));
    const isSuppression = job.work.suppressAs !== null;
    const consent = form.get('consent');
    const isMissing = !isSuppression && consent !== 'ask' && consent !== 'given';
    const issues = [...fieldIssues(columns), ...(isMissing ? [{ path: 'consent', text: texts.consentMissing }] : [])];
    if (issues.length > 0) throw new ValidationError(issues);
    const reason = suppressionReasons.find((one) => one === form.get('reason')) ?? 'manual';
    await planImport(context, {
      id,
      columns,
      consentGiven: isSuppression ? null : consent === 'given',
      suppressAs: isSuppression ? reason : null,
    });
    return redirect(pathOf(call, importPath(id), { step: 'check' }));
  };
  return submitForm(call, act, async (filled) =>
    columnsPage(call, await previewImport(context, { id }), {
      ...filled,
      issues: filled.issues.map((issue) => inOwnWords(issue, form)),
    }),
  );
}

function columnIn(form: URLSearchParams, index: number): Column {
  const word = form.get(`column-${index}`) ?? 'ignored';
  if (word === 'field') return { kind: 'field', name: (form.get(`field-${index}`) ?? '').trim() };
  const standing = importedStatuses.find((one): one is ImportedStatus => word === `everybody:${one}`);
  if (standing) return { kind: 'everybody', standing };
  return { kind: plainColumns.find((kind) => kind === word) ?? 'ignored' };
}

const fieldIssues = (columns: readonly Column[]) =>
  columns
    .flatMap((column) => (column.kind === 'field' && !fieldName.test(column.name) ? column.name : []))
    .map((name) => ({ path: `columns.${name || texts.fieldName.en}`, text: texts.fieldNameWrong }));

/** Rewords issues for the import form, which has no field `double_opt_in`. */
function inOwnWords(issue: FormState['issues'][number], form: URLSearchParams): FormState['issues'][number] {
  if (issue.path === 'double_opt_in') return { path: 'consent', text: peopleTexts.noSender };
  if (!issue.path.startsWith('columns.')) return issue;
  const isMissing = issue.path === 'columns.email' && ![...form.values()].includes('email');
  return { ...issue, text: isMissing ? texts.noEmail : issue.text };
}
