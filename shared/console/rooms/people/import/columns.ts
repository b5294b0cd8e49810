import { ValidationError } from '../../../../contract/errors.ts';
import { fieldName } from '../../../../contract/schemas/subscribers.ts';
import { type Column, plainColumns, type Standing, standings } from '../../../../domain/job/importColumn.ts';
import { type SuppressionReason, suppressionReasons } from '../../../../domain/person/suppression.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type LookedAt, lookAtImport } from '../../../../services/imports/background/look.ts';
import { planImport } from '../../../../services/imports/background/plan.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../../call.ts';
import { type Filled, field, formOf, problemsOf, ticks } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, tableOf } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { reasonTexts } from '../../suppression/texts.ts';
import { peopleTexts } from '../texts.ts';
import { columnTexts, everybodyTexts, importTexts as texts } from './texts.ts';
import { importPath } from './upload.ts';

/** What a list of addresses that get no mail is read for. */
const ofSuppression = ['ignored', 'email', 'reason', 'status'] as const;

/** What each column is, and whether these people have agreed. */
export function columnsPage(call: ConsoleCall, looked: LookedAt, filled: Filled): ConsoleReply {
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
    { action: placeOf(call, importPath(job.id)), className: '' },
    html`${table}<div class="card-foot">${question}<button>${texts.look[language]}</button></div>`,
  );
  const isWrong = filled.issues.length > 0;
  const own = ['columns', 'consent', 'reason'];
  return pageOf(call, {
    room: isSuppression ? 'suppression' : 'people',
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
  filled: Filled,
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

function columnProblems({ issues }: Filled, language: ConsoleCall['language']): Html | null {
  const own = issues.filter(({ path }) => path.startsWith('columns'));
  if (own.length === 0) return null;
  const said = own.map(({ path, text }) => {
    const name = path.slice('columns.'.length);
    return html`<p class="problem">${name === 'email' ? '' : `${labelOf(name, language)}: `}${text[language]}</p>`;
  });
  return html`${said}`;
}

const labelOf = (name: string, language: ConsoleCall['language']): string =>
  Object.hasOwn(columnTexts, name) ? columnTexts[name as keyof typeof columnTexts][language] : name;

function consentQuestion({ language }: ConsoleCall, filled: Filled, { job }: LookedAt): Html {
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

function reasonQuestion({ language }: ConsoleCall, filled: Filled, reason: SuppressionReason | null): Html {
  const options = suppressionReasons.map((one) => [one, reasonTexts[one][language]] as const);
  return field(filled, language, { name: 'reason', label: texts.reason[language], options, value: reason ?? 'manual' });
}

/** Notes what was said, and goes on to what would become of it. */
export async function planOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id = '' } = parameters;
  const { job, header } = await lookAtImport(context, { id });
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
    return redirect(placeOf(call, importPath(id), { step: 'check' }));
  };
  return submitted(call, act, async (filled) =>
    columnsPage(call, await lookAtImport(context, { id }), {
      ...filled,
      issues: filled.issues.map((issue) => inOwnWords(issue, form)),
    }),
  );
}

function columnIn(form: URLSearchParams, index: number): Column {
  const word = form.get(`column-${index}`) ?? 'ignored';
  if (word === 'field') return { kind: 'field', name: (form.get(`field-${index}`) ?? '').trim() };
  const standing = standings.find((one): one is Standing => word === `everybody:${one}`);
  if (standing) return { kind: 'everybody', standing };
  return { kind: plainColumns.find((kind) => kind === word) ?? 'ignored' };
}

const fieldIssues = (columns: readonly Column[]) =>
  columns
    .flatMap((column) => (column.kind === 'field' && !fieldName.test(column.name) ? column.name : []))
    .map((name) => ({ path: `columns.${name || texts.fieldName.en}`, text: texts.fieldNameWrong }));

/** A file in hand has no `double_opt_in`, and nobody here sends `false`. */
function inOwnWords(issue: Filled['issues'][number], form: URLSearchParams): Filled['issues'][number] {
  if (issue.path === 'double_opt_in') return { path: 'consent', text: peopleTexts.noSender };
  if (!issue.path.startsWith('columns.')) return issue;
  const isMissing = issue.path === 'columns.email' && ![...form.values()].includes('email');
  return { ...issue, text: isMissing ? texts.noEmail : issue.text };
}
