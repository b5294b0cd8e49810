import { type FormField, formFieldBounds } from '../../../../domain/workspace/workspace.ts';
import { languageTags, nameOfLanguage } from '../../../../language/languages.ts';
import { textsOf } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import {
  allowFormOrigin,
  type FormJson,
  forbidFormOrigin,
  setForm,
  showForm,
} from '../../../../services/signUpForm.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { buttonOf, cardOf, copyable, linkButton } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { settingsPage } from './settingsPage.ts';
import { settingsTexts as texts } from './settingsTexts.ts';

const path = '/settings/form';

export async function showFormSettings(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const form = await showForm(context);
  const snippet = `<iframe src="${form.url}" title="${texts.form[language]}" width="100%" height="560"></iframe>`;
  const about = html`<h2>${texts.formAddress[language]}</h2>${copyable(form.url, language)}
<p></p><h2>${texts.snippet[language]}</h2>${copyable(snippet, language)}<p></p>${linkButton(texts.open[language], form.url)}`;
  const mayChange = may(call, 'change');
  const isWrong = filled.issues.length > 0;
  return settingsPage(call, 'form', {
    body: html`${cardOf(null, about)}
<div class="two builder">${mayChange ? cardOf(texts.form[language], words(call, form, filled)) : null}${cardOf(questionTexts.preview[language], formPreview(call, form))}</div>
${cardOf(texts.origins[language], origins(call, form.origins, filled))}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function words(call: ConsoleCall, form: Awaited<ReturnType<typeof showForm>>, filled: FormState): Html {
  const { language } = call;
  const languages = [
    ['', texts.reader[language]] as const,
    ...languageTags.map((tag) => [tag, nameOfLanguage(tag, language)] as const),
  ];
  const isAbout = filled.values.has('text') || filled.issues.length === 0;
  const shown = isAbout ? filled : emptyForm;
  const body = html`${field(shown, language, { name: 'text', label: texts.formWords[language], type: 'textarea', value: form.text ?? '' })}
${field(shown, language, { name: 'privacy', label: texts.formPrivacy[language], type: 'url', value: form.privacy_url ?? '' })}
${field(shown, language, { name: 'redirect', label: texts.formRedirect[language], hint: texts.formRedirectHint[language], type: 'url', value: form.redirect_url ?? '' })}
${field(shown, language, { name: 'language', label: texts.formLanguage[language], options: languages, value: form.language ?? '' })}
${questionRows(call, shown, form.fields)}
<button>${texts.save[language]}</button>`;
  return html`${problemsOf(shown, language, ['text', 'privacy', 'redirect', 'language', 'fields'])}${formOf(call, { action: pathOf(call, path) }, body)}`;
}

function origins(call: ConsoleCall, allowed: readonly string[], filled: FormState): Html {
  const { language } = call;
  const shown = filled.values.has('origin') ? filled : emptyForm;
  const mayChange = may(call, 'change');
  const list =
    allowed.length === 0
      ? html`<p class="soft">${texts.noOrigins[language]}</p>`
      : html`<ul class="choices">${allowed.map(
          (origin) =>
            html`<li class="row"><code>${origin}</code>${mayChange ? buttonOf(call, `${path}/forbid`, texts.forbid[language], { className: 'link', hidden: { origin } }) : null}</li>`,
        )}</ul>`;
  if (!mayChange) return list;
  const body = html`${field(shown, language, { name: 'origin', label: texts.origin[language], hint: texts.originHint[language], type: 'url', path: 'form_origins' })}
<button class="plain">${texts.allow[language]}</button>`;
  return html`${list}<p></p>${problemsOf(shown, language, ['form_origins'])}${formOf(call, { action: pathOf(call, `${path}/allow`) }, body)}`;
}

export async function saveForm(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  const act = async () => {
    const given = (name: string) => form.get(name)?.trim().replaceAll('\r\n', '\n') || null;
    const language = languageTags.find((tag) => tag === form.get('language')) ?? null;
    const changes = {
      text: given('text'),
      privacyUrl: given('privacy'),
      redirectUrl: given('redirect'),
      language,
      fields: questionsIn(form),
    };
    await setForm(context, { changes });
    return redirect(pathOf(call, path, { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => showFormSettings(call, filled));
}

export async function allowOrigin(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    await allowFormOrigin(call.context, { origin: call.form.get('origin')?.trim() ?? '' });
    return redirect(pathOf(call, path, { done: 'added' }));
  };
  return submitForm(call, act, (filled) => showFormSettings(call, filled));
}

export async function forbidOrigin(call: ConsoleCall): Promise<ConsoleReply> {
  await forbidFormOrigin(call.context, { origin: call.form.get('origin') ?? '' });
  return redirect(pathOf(call, path, { done: 'removed' }));
}

/** The form's own questions: label, field for the answer, choices. */
function questionRows({ language }: ConsoleCall, filled: FormState, known: FormJson['fields']): Html {
  const rows = Array.from({ length: formFieldBounds.fields }, (_, index) => {
    const question = known[index];
    const at = (name: string) => `${name}${index}`;
    const problems = filled.issues.filter(({ path }) => path === `fields[${index}]`).map(({ text }) => text[language]);
    return html`<fieldset><legend>${questionTexts.question[language].replace('{number}', String(index + 1))}</legend><div class="filters">
<div>${field(filled, language, { name: at('label'), label: questionTexts.label[language], value: question?.label ?? '' })}</div>
<div>${field(filled, language, { name: at('field'), label: questionTexts.field[language], value: question?.name ?? '' })}</div>
<div>${field(filled, language, { name: at('choices'), label: questionTexts.choices[language], value: question?.choices.join(' | ') ?? '' })}</div>
</div>${problems.length > 0 ? html`<p class="problem">${problems.join('; ')}</p>` : null}</fieldset>`;
  });
  return html`<h3>${questionTexts.title[language]}</h3><p class="hint">${questionTexts.what[language]}</p>${rows}`;
}

/** The entered questions; a row without a label and a field is empty. */
function questionsIn(form: URLSearchParams): FormField[] {
  return Array.from({ length: formFieldBounds.fields }, (_, index) => {
    const given = (name: string) => (form.get(`${name}${index}`) ?? '').trim();
    const choices = given('choices')
      .split('|')
      .map((choice) => choice.trim())
      .filter((choice) => choice !== '');
    return { name: given('field'), label: given('label'), choices };
  }).filter(({ name, label }) => name !== '' || label !== '');
}

/** A preview of the form, with disabled fields. */
function formPreview({ language }: ConsoleCall, { text, fields }: FormJson): Html {
  const line = (label: string) => html`<div class="field"><label>${label}<input disabled></label></div>`;
  const own = fields.map(({ label, choices }) =>
    choices.length === 0
      ? line(label)
      : html`<div class="field"><label>${label}<select disabled>${choices.map((choice) => html`<option>${choice}</option>`)}</select></label></div>`,
  );
  return html`${text ? html`<p>${text}</p>` : null}${line(questionTexts.address[language])}${line(questionTexts.firstName[language])}${line(questionTexts.lastName[language])}${own}`;
}

const questionTexts = textsOf({
  title: { en: 'Custom questions', fr: 'Questions personnalisées' },
  what: {
    en: 'Answers are stored as fields of the person, for use in segments and campaigns. Leave a row empty to ask nothing.',
    fr: 'Les réponses deviennent des champs de la personne, utilisables dans les segments et les campagnes. Laissez une ligne vide pour ne rien demander.',
  },
  question: { en: 'Question {number}', fr: 'Question {number}' },
  label: { en: 'Label', fr: 'Libellé' },
  field: { en: 'Field name', fr: 'Nom du champ' },
  choices: { en: 'Choices: S | M | L', fr: 'Choix\u00a0: S | M | L' },
  preview: { en: 'Preview of the form', fr: 'Aperçu du formulaire' },
  address: { en: 'Address', fr: 'Adresse' },
  firstName: { en: 'First name', fr: 'Prénom' },
  lastName: { en: 'Last name', fr: 'Nom de famille' },
});
