import type { Text } from '../../../../../language/text.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { joinTexts, testTexts } from '../../../segments/ruleTexts.ts';
import type { FieldContext } from './fields.ts';
import { fieldTexts, ruleTexts as texts } from './fieldTexts.ts';
import { joins, mostRows, type RulePlace, type RuleRow, rowsIn, rowsOf, subjectsAt } from './ruleRows.ts';

interface RuleAsked {
  readonly name: string;
  readonly legend: Text;
  readonly hint?: Text;
  readonly place: RulePlace;
  readonly rule: unknown;
}

/** A rule as rows of fields, with one that is empty; the button for more shows the form again. */
export function ruleFields(shown: FieldContext, { name, legend, hint, place, rule }: RuleAsked): Html {
  const { filled, language } = shown;
  const { values, issues } = filled;
  const isOwn = (path: string) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
  const own = issues
    .filter(({ path }) => isOwn(path))
    .map((issue) => ({ ...issue, path: issue.path.slice(name.length) }));
  const words = (of: typeof own) => of.map(({ text }) => text[language]).join('; ');
  const problem = (of: typeof own, id: string) =>
    of.length > 0 ? html`<p class="problem" id="${id}">${words(of)}</p>` : null;
  const head = html`<legend>${legend[language]}</legend>${hint ? html`<p class="hint">${hint[language]}</p>` : null}`;

  const wasPosted = values.has(`${name}.join`);
  const stored = wasPosted ? { join: values.get(`${name}.join`), rows: rowsIn(values, name) } : rowsOf(rule);
  const json = values.get(`${name}.json`) ?? (stored ? null : JSON.stringify(rule, null, 2));
  if (json !== null || !stored) {
    const isWrong = own.length > 0 ? html` aria-invalid="true"` : null;
    return html`<fieldset class="rule">${head}<label for="${name}.json">${texts.json[language]}</label>
<textarea id="${name}.json" name="${name}.json"${isWrong}>\n${json}</textarea>${problem(own, `${name}-problem`)}</fieldset>`;
  }
  const { rows } = stored;
  const placeOf = (path: string) => (rows.length === 1 ? 0 : Number(/(?:all|any)\[(\d+)\]/.exec(path)?.[1] ?? -1));
  const blank: RuleRow = { subject: '', step: '', name: '', test: 'equals', value: '' };
  const drawn = [...rows, blank].slice(0, mostRows).map((row, index) => {
    const ofRow = own.filter(({ path }) => placeOf(path) === index);
    return html`${rowFields(shown, `${name}.${index}`, row, place, ofRow.length > 0)}${problem(ofRow, `${name}.${index}-problem`)}`;
  });
  const options = joins.map(
    (one) =>
      html`<option value="${one}"${one === stored.join ? html` selected` : null}>${joinTexts[one][language]}</option>`,
  );
  return html`<fieldset class="rule" id="${name}">${head}<select name="${name}.join" aria-label="${texts.joined[language]}">${options}</select>
${drawn}${problem(
  own.filter(({ path }) => placeOf(path) < 0 || placeOf(path) >= rows.length),
  `${name}-problem`,
)}
<button class="plain small" name="do" value="more" formnovalidate>${texts.more[language]}</button></fieldset>`;
}

function rowFields(
  { language, flow, known }: FieldContext,
  at: string,
  row: RuleRow,
  place: RulePlace,
  isWrong: boolean,
): Html {
  const label = (text: Text) => html` aria-label="${text[language]}"`;
  const wrong = isWrong ? html` aria-invalid="true" aria-describedby="${at}-problem"` : null;
  const select = (part: string, text: Text, chosen: string, choices: readonly (readonly [string, string])[], of = '') =>
    html`<select name="${at}.${part}" class="${of}"${label(text)}>${choices.map(
      ([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`,
    )}</select>`;
  const input = (part: string, text: Text, value: string, of: string, more: Html | null) =>
    html`<input name="${at}.${part}" class="${of}" value="${value}" placeholder="${text[language]}" autocomplete="off" spellcheck="false"${label(text)}${more}>`;
  const subjects = subjectsAt[place].map((subject) => [subject, texts[subject][language]] as const);
  const steps = flow.steps
    .filter(({ type }) => type === 'send_email' || type === 'wait_for_event')
    .map(({ key }) => [key, key] as const);
  const tests = Object.entries(testTexts).map(([test, text]) => [test, text[language]] as const);
  const all = row.test in testTexts || row.test === '' ? tests : [...tests, [row.test, row.test] as const];
  const list = known.events.length > 0 ? html` list="events"` : null;
  return html`<div class="rule-row">${select('subject', texts.subject, row.subject, [['', '–'], ...subjects], 'of-subject')}
${place === 'start' ? null : select('step', texts.step, row.step, steps, 'of-step')}
${input('name', texts.name, row.name, 'of-name', list)}
${select('test', texts.test, row.test, all, 'of-test')}
${input('value', fieldTexts.value, row.value, 'of-value', wrong)}</div>
`;
}
