import { type Html, html } from '../../../../pages/html.ts';
import type { OpenDraft } from '../../../../services/campaigns/operator/draft.ts';
import { type ConsoleCall, placeOf } from '../../../call.ts';
import { field } from '../../../frame/form.ts';
import { sealedIfAddress } from '../asPerson.ts';
import { campaignPath } from '../list.ts';
import { letterOf } from './testForm.ts';
import { editorTexts as texts } from './texts.ts';

const views = ['desktop', 'phone', 'dark', 'plain'] as const;

/** The message as it is saved, in the frame that runs nothing. Its buttons save first, so that nothing written is lost. */
export function previewPane(call: ConsoleCall, open: OpenDraft, variant: number, asked: URLSearchParams): Html {
  const { language } = call;
  const view = views.find((one) => one === asked.get('view')) ?? 'desktop';
  const source = placeOf(call, `${campaignPath(open.id)}/message`);
  const buttons = views.map(
    (one) =>
      html`<button class="plain small" name="do" value="view:${one}" data-view="${one}" aria-pressed="${one === view ? 'true' : 'false'}">${texts[one][language]}</button>\n`,
  );
  const written = asked.get('as') ?? '';
  const as = sealedIfAddress(call, written);
  const query = { view, variant: variant === 0 ? undefined : String(variant), as };
  const title =
    open.draft.variants.length > 1
      ? `${texts.preview[language]} – ${texts.wholeVariant[language].replace('{letter}', letterOf(variant))}`
      : texts.preview[language];
  const person = { values: new URLSearchParams({ as: written }), issues: [] };
  return html`<section class="card shown" id="preview" aria-label="${title}"><h2>${title}</h2><div class="row views">${buttons}</div>
<div class="as">${field(person, language, { name: 'as', label: texts.as[language], hint: texts.asHint[language], type: 'search' })}
<button class="plain" name="do" value="view:${view}" data-as>${texts.show[language]}</button></div>
<iframe sandbox="" class="${view}" src="${placeOf(call, `${campaignPath(open.id)}/message`, query)}" data-frame="${source}" data-variant="${variant}" data-as="${as ?? ''}" title="${title}"></iframe></section>`;
}
