import { type FormField, formFieldBounds } from '../../../domain/workspace/formSettings.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { ShownForm } from '../../../services/forms/shown.ts';
import type { ConsoleCall } from '../../call.ts';
import { type Filled, field } from '../../frame/form.ts';
import { questionTexts as texts } from './questionTexts.ts';

/** The form's own questions: a label, the field that keeps the answer, what there is to choose from. */
export function questionRows({ language }: ConsoleCall, filled: Filled, known: ShownForm['fields']): Html {
  const rows = Array.from({ length: formFieldBounds.fields }, (_, index) => {
    const question = known[index];
    const at = (name: string) => `${name}${index}`;
    const problems = filled.issues.filter(({ path }) => path === `fields[${index}]`).map(({ text }) => text[language]);
    return html`<fieldset><legend>${texts.question[language].replace('{number}', String(index + 1))}</legend><div class="filters">
<div>${field(filled, language, { name: at('label'), label: texts.label[language], value: question?.label ?? '' })}</div>
<div>${field(filled, language, { name: at('field'), label: texts.field[language], value: question?.name ?? '' })}</div>
<div>${field(filled, language, { name: at('choices'), label: texts.choices[language], value: question?.choices.join(' | ') ?? '' })}</div>
</div>${problems.length > 0 ? html`<p class="problem">${problems.join('; ')}</p>` : null}</fieldset>`;
  });
  return html`<h3>${texts.title[language]}</h3><p class="hint">${texts.what[language]}</p>${rows}`;
}

/** What was written; a row without a label and a field is none. */
export function questionsIn(form: URLSearchParams): FormField[] {
  return Array.from({ length: formFieldBounds.fields }, (_, index) => {
    const given = (name: string) => (form.get(`${name}${index}`) ?? '').trim();
    const choices = given('choices')
      .split('|')
      .map((choice) => choice.trim())
      .filter((choice) => choice !== '');
    return { name: given('field'), label: given('label'), choices };
  }).filter(({ name, label }) => name !== '' || label !== '');
}

/** What the form asks for, in its order: looked at, and not to be filled in. */
export function formPreview({ language }: ConsoleCall, { text, fields }: ShownForm): Html {
  const line = (label: string) => html`<div class="field"><label>${label}<input disabled></label></div>`;
  const own = fields.map(({ label, choices }) =>
    choices.length === 0
      ? line(label)
      : html`<div class="field"><label>${label}<select disabled>${choices.map((choice) => html`<option>${choice}</option>`)}</select></label></div>`,
  );
  return html`${text ? html`<p>${text}</p>` : null}${line(texts.address[language])}${line(texts.firstName[language])}${line(texts.lastName[language])}${own}`;
}
