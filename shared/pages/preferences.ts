import {
  dataAsked,
  dataQuestion,
  type Notice,
  preferencesQuestion,
  preferencesSaved,
  preferenceTexts,
  type Question,
  unsubscribeTexts,
} from '../contract/pageTexts.ts';
import { brandOfPage } from '../services/brand/ofPage.ts';
import { preferencesUrl, unsubscribeUrl } from '../services/links.ts';
import { askForData } from '../services/preferences/askForData.ts';
import {
  changePreferences,
  type PreferencesOutcome,
  previewPreferences,
  type ShownPreferences,
} from '../services/preferences/change.ts';
import type { PageCall, PageReply } from './call.ts';
import { fill, type Html, html } from './html.ts';
import { layout, linkButton } from './layout.ts';

const statuses: Readonly<Record<PreferencesOutcome, number>> = { shown: 200, tampered: 400, unknown: 404, erased: 200 };

/** GET: what somebody gets, and what they may choose. It tells nothing of them but the address that the link is for. */
export async function showPreferences(call: PageCall): Promise<PageReply> {
  return replyFor(call, await previewPreferences(call, { token: call.parameter }), preferencesQuestion);
}

/** POST of the page's forms: a kind is left when its box is empty, since a form says nothing of those. */
export async function savePreferences(call: PageCall): Promise<PageReply> {
  const { form, parameter: token } = call;
  if (form.has('data')) return replyFor(call, await askForData(call, { token }), dataAsked);
  const seen = form.getAll('kind');
  const ticked = new Set(form.getAll('receive'));
  const wanted = { isUntracked: form.has('untracked'), leftTags: seen.filter((tag) => !ticked.has(tag)) };
  return replyFor(call, await changePreferences(call, { token, wanted }), preferencesSaved);
}

async function replyFor(
  { language, parameter }: PageCall,
  shown: ShownPreferences,
  notice: Notice | Question,
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

/** Offered and never shown: the link may be in other hands. */
function stored({ workspace, email }: ShownPreferences, token: string, language: PageCall['language']): Html {
  const values = { workspace: workspace?.name ?? '', email: email ?? '' };
  return html`<form method="post" class="actions" action="${preferencesUrl(token)}"><h3>${dataQuestion.title[language]}</h3>
${dataQuestion.paragraphs.map((paragraph) => html`<p>${fill(paragraph[language], values)}</p>\n`)}
<p><button type="submit" class="button" name="data" value="send">${dataQuestion.button[language]}</button></p></form>`;
}

function choices(shown: ShownPreferences, token: string, language: PageCall['language']): Html {
  const { workspace, preferences } = shown;
  const { isUntracked, leftTags } = preferences;
  const kinds = (workspace?.kinds ?? []).map(({ tag, name }, index) => {
    const id = `kind-${index}`;
    const box = leftTags.includes(tag)
      ? html`<input type="checkbox" id="${id}" name="receive" value="${tag}">`
      : html`<input type="checkbox" id="${id}" name="receive" value="${tag}" checked>`;
    return html`<p class="choice"><input type="hidden" name="kind" value="${tag}">${box}<label for="${id}">${name}</label></p>\n`;
  });
  const untracked = isUntracked
    ? html`<input type="checkbox" id="untracked" name="untracked" checked>`
    : html`<input type="checkbox" id="untracked" name="untracked">`;
  const receive = html`<fieldset><legend>${preferenceTexts.kinds[language]}</legend>
${kinds}</fieldset>`;
  return html`<form method="post" action="${preferencesUrl(token)}">
${kinds.length > 0 ? receive : null}
<fieldset><legend>${preferenceTexts.tracking[language]}</legend>
<p class="choice">${untracked}<label for="untracked">${preferenceTexts.untracked[language]}</label></p></fieldset>
<button type="submit">${preferencesQuestion.button[language]}</button></form>
${linkButton(preferenceTexts.leaveAll, unsubscribeUrl(token), language)}
${stored(shown, token, language)}`;
}
