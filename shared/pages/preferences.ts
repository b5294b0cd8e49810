import { type TrackedAction, trackedActions } from '../domain/person/person.ts';
import { brandOfPage } from '../services/brand.ts';
import { preferencesUrl, unsubscribeUrl } from '../services/links.ts';
import {
  askForData,
  changePreferences,
  type PreferencesOutcome,
  type PreferencesResult,
  previewPreferences,
} from '../services/preferences/preferences.ts';
import type { PageCall, PageReply } from './call.ts';
import { fill, type Html, html } from './html.ts';
import { layout, linkButton } from './layout.ts';
import {
  dataAsked,
  dataQuestion,
  type PageNotice,
  preferencesQuestion,
  preferencesSaved,
  preferenceTexts,
  type Question,
  unsubscribeTexts,
} from './pageTexts.ts';

const statuses: Readonly<Record<PreferencesOutcome, number>> = { shown: 200, tampered: 400, unknown: 404, erased: 200 };

/** GET: what a person receives and may choose. It shows nothing about them but the address of the link. */
export async function showPreferences(call: PageCall): Promise<PageReply> {
  return replyFor(call, await previewPreferences(call, { token: call.parameter }), preferencesQuestion);
}

/** POST of the page's forms: an empty box, which a form does not send, leaves a topic. */
export async function savePreferences(call: PageCall): Promise<PageReply> {
  const { form, parameter: token } = call;
  if (form.has('data')) return replyFor(call, await askForData(call, { token }), dataAsked);
  const seen = form.getAll('kind');
  const ticked = new Set(form.getAll('receive'));
  const refused = { opens: isRefused(form, 'opens'), clicks: isRefused(form, 'clicks') };
  const choices = { refused, leftTags: seen.filter((tag) => !ticked.has(tag)) };
  return replyFor(call, await changePreferences(call, { token, choices }), preferencesSaved);
}

/** A page that an earlier release wrote has one box for both, whose value is `on`. */
const isRefused = (form: PageCall['form'], action: TrackedAction): boolean =>
  form.getAll('untracked').some((value) => value === action || value === 'on');

async function replyFor(
  { language, parameter }: PageCall,
  shown: PreferencesResult,
  notice: PageNotice | Question,
): Promise<PageReply> {
  const { outcome, workspace, email } = shown;
  const brand = workspace && (await brandOfPage(workspace));
  const document = layout({
    language,
    workspace: workspace?.name ?? null,
    notice: outcome === 'shown' ? notice : unsubscribeTexts[outcome],
    values: { email: email ?? '' },
    brand,
    actions: outcome === 'shown' ? choices(shown, parameter, language) : null,
  });
  return { status: statuses[outcome], document, brand };
}

/** Sent by email and never shown: the link may have been forwarded. */
function stored({ workspace, email }: PreferencesResult, token: string, language: PageCall['language']): Html {
  const values = { workspace: workspace?.name ?? '', email: email ?? '' };
  return html`<form method="post" class="actions" action="${preferencesUrl(token)}"><h3>${dataQuestion.title[language]}</h3>
${dataQuestion.paragraphs.map((paragraph) => html`<p>${fill(paragraph[language], values)}</p>\n`)}
<p><button type="submit" class="button" name="data" value="send">${dataQuestion.button[language]}</button></p></form>`;
}

function choices(shown: PreferencesResult, token: string, language: PageCall['language']): Html {
  const { workspace, preferences } = shown;
  const { leftTags } = preferences;
  const kinds = (workspace?.kinds ?? []).map(({ tag, name, description }, index) => {
    const id = `kind-${index}`;
    const box = leftTags.includes(tag)
      ? html`<input type="checkbox" id="${id}" name="receive" value="${tag}">`
      : html`<input type="checkbox" id="${id}" name="receive" value="${tag}" checked>`;
    return html`<p class="choice"><input type="hidden" name="kind" value="${tag}">${box}<label for="${id}">${name}${description === undefined ? null : html`<br><small>${description}</small>`}</label></p>\n`;
  });
  const untracked = trackedActions.map((action) => {
    const box =
      preferences[action] === 'denied'
        ? html`<input type="checkbox" id="untracked-${action}" name="untracked" value="${action}" checked>`
        : html`<input type="checkbox" id="untracked-${action}" name="untracked" value="${action}">`;
    return html`<p class="choice">${box}<label for="untracked-${action}">${preferenceTexts[action][language]}</label></p>\n`;
  });
  const receive = html`<fieldset><legend>${preferenceTexts.kinds[language]}</legend>
${kinds}</fieldset>`;
  return html`<form method="post" action="${preferencesUrl(token)}">
${kinds.length > 0 ? receive : null}
<fieldset><legend>${preferenceTexts.tracking[language]}</legend>
${untracked}</fieldset>
<button type="submit">${preferencesQuestion.button[language]}</button></form>
${linkButton(preferenceTexts.leaveAll, unsubscribeUrl(token), language)}
${stored(shown, token, language)}`;
}
