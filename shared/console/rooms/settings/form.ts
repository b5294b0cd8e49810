import { languageTags, nameOfLanguage } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { allowFormOrigin } from '../../../services/forms/allow.ts';
import { forbidFormOrigin } from '../../../services/forms/forbid.ts';
import { setForm } from '../../../services/forms/set.ts';
import { showForm } from '../../../services/forms/show.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { buttonOf, cardOf, copyable, linkButton } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { formPreview, questionRows, questionsIn } from './questions.ts';
import { questionTexts } from './questionTexts.ts';
import { settingsPage } from './tabs.ts';
import { settingsTexts as texts } from './texts.ts';

const path = '/settings/form';

export async function showFormSettings(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
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

function words(call: ConsoleCall, form: Awaited<ReturnType<typeof showForm>>, filled: Filled): Html {
  const { language } = call;
  const languages = [
    ['', texts.reader[language]] as const,
    ...languageTags.map((tag) => [tag, nameOfLanguage(tag, language)] as const),
  ];
  const isAbout = filled.values.has('text') || filled.issues.length === 0;
  const shown = isAbout ? filled : untouched;
  const body = html`${field(shown, language, { name: 'text', label: texts.formWords[language], type: 'textarea', value: form.text ?? '' })}
${field(shown, language, { name: 'privacy', label: texts.formPrivacy[language], type: 'url', value: form.privacy_url ?? '' })}
${field(shown, language, { name: 'redirect', label: texts.formRedirect[language], hint: texts.formRedirectHint[language], type: 'url', value: form.redirect_url ?? '' })}
${field(shown, language, { name: 'language', label: texts.formLanguage[language], options: languages, value: form.language ?? '' })}
${questionRows(call, shown, form.fields)}
<button>${texts.save[language]}</button>`;
  return html`${problemsOf(shown, language, ['text', 'privacy', 'redirect', 'language', 'fields'])}${formOf(call, { action: placeOf(call, path) }, body)}`;
}

function origins(call: ConsoleCall, allowed: readonly string[], filled: Filled): Html {
  const { language } = call;
  const shown = filled.values.has('origin') ? filled : untouched;
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
  return html`${list}<p></p>${problemsOf(shown, language, ['form_origins'])}${formOf(call, { action: placeOf(call, `${path}/allow`) }, body)}`;
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
    return redirect(placeOf(call, path, { done: 'saved' }));
  };
  return submitted(call, act, (filled) => showFormSettings(call, filled));
}

export async function allowOrigin(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    await allowFormOrigin(call.context, { origin: call.form.get('origin')?.trim() ?? '' });
    return redirect(placeOf(call, path, { done: 'added' }));
  };
  return submitted(call, act, (filled) => showFormSettings(call, filled));
}

export async function forbidOrigin(call: ConsoleCall): Promise<ConsoleReply> {
  await forbidFormOrigin(call.context, { origin: call.form.get('origin') ?? '' });
  return redirect(placeOf(call, path, { done: 'removed' }));
}
