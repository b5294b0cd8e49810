import { html } from '../../../../pages/html.ts';
import { readTestResults } from '../../../../services/campaigns/abTest.ts';
import { previewCampaign } from '../../../../services/campaigns/previewCampaign.ts';
import { getCampaign } from '../../../../services/campaigns/readCampaigns.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { cardOf, factsOf, numberOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, submitForm } from '../../../layout/form.ts';
import { messageInScheme, messagePolicy } from '../../../layout/message.ts';
import { pageOf } from '../../../layout/page.ts';
import { searchForm } from '../../../layout/search.ts';
import { pathOf } from '../../../paths.ts';
import { campaignPath, letterOf, sealedPerson } from './campaignElements.ts';
import { campaignsTexts as texts } from './campaignTexts.ts';

/** The URL contains the previewed person's address encrypted. */
const previewRequest = async ({ parameters, query, places }: ConsoleCall) => ({
  id: parameters.id ?? '',
  to: (await places.open(query.get('as') ?? '')) ?? undefined,
  variant: /^\d$/.test(query.get('variant') ?? '') ? Number(query.get('variant')) : undefined,
});

/** POST: redirects to the message as this person would see it. */
export async function findPreview(call: ConsoleCall): Promise<ConsoleReply> {
  const { form, parameters } = call;
  const act = async () => {
    const as = sealedPerson(call, form.get('as') ?? '');
    const path = `${campaignPath(parameters.id ?? '')}/preview`;
    return redirect(pathOf(call, path, { as, variant: form.get('variant') ?? undefined }));
  };
  return submitForm(call, act, (filled) => previewPage(call, filled));
}

export const showPreview = (call: ConsoleCall): Promise<ConsoleReply> => previewPage(call, emptyForm);

async function previewPage(call: ConsoleCall, filled: FormState): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const request = await previewRequest(call);
  const [campaign, preview] = await Promise.all([
    getCampaign(context, { id: request.id }),
    previewCampaign(context, request),
  ]);
  const path = campaignPath(campaign.id);
  const filters = { as: query.get('as') ?? undefined, variant: query.get('variant') ?? undefined };
  const frame = pathOf(call, `${path}/message`, filters);
  const size = numberOf(Math.ceil(preview.htmlBytes / 1024), language);
  const variants = campaign.kind === 'ab_test' ? (await readTestResults(context, { id: campaign.id }))?.variants : [];
  const variant = {
    name: 'variant',
    label: texts.test[language],
    value: query.get('variant') ?? '',
    options: (variants ?? []).map(({ subject }, index) => [String(index), `${letterOf(index)} · ${subject}`] as const),
  };
  const as = {
    name: 'as',
    label: texts.asPerson[language],
    hint: texts.asPersonHint[language],
    value: request.to ?? '',
  };
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: campaign.name, path },
    title: texts.preview[language],
    status: isWrong ? 422 : 200,
    isWrong,
    body: html`${searchForm(
      call,
      `${path}/preview`,
      html`<div>${field(filled, language, { ...as, type: 'search' })}</div>
${variant.options.length > 0 ? html`<div>${field(filled, language, variant)}</div>` : null}
<div class="field"><button class="plain">${texts.show[language]}</button></div>`,
    )}
${cardOf(
  null,
  html`${factsOf([
    [texts.from[language], html`<bdi>${preview.from}</bdi>`],
    ...(preview.replyTo ? [[texts.replyTo[language], html`<bdi>${preview.replyTo.join(', ')}</bdi>`] as const] : []),
    [texts.subject[language], html`<bdi>${preview.subject}</bdi>`],
  ])}<p></p><iframe sandbox="" src="${frame}" title="${texts.preview[language]}"></iframe>
<p class="small soft">${texts.size[language].replace('{size}', size)}</p>`,
)}
${cardOf(texts.asText[language], html`<pre tabindex="0">${preview.text}</pre>`)}`,
  });
}

/** The message for the frame: as HTML in light or dark colours, or as text. */
export async function showMessage(call: ConsoleCall): Promise<ConsoleReply> {
  const { html: body, text } = await previewCampaign(call.context, await previewRequest(call));
  const view = call.query.get('view');
  if (view === 'plain') return { kind: 'file', type: 'text/plain; charset=utf-8', body: text, policy: messagePolicy };
  const shown = view === null ? body : messageInScheme(body, view === 'dark');
  return { kind: 'file', type: 'text/html; charset=utf-8', body: shown, policy: messagePolicy };
}
