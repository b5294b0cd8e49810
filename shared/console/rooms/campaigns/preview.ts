import { html } from '../../../pages/html.ts';
import { getCampaign } from '../../../services/campaigns/get.ts';
import { previewCampaign } from '../../../services/campaigns/operator/preview.ts';
import { readTestResults } from '../../../services/campaigns/operator/testResults.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { searchForm } from '../../frame/find.ts';
import { type Filled, field, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, factsOf, numberOf } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { sealedPerson } from './asPerson.ts';
import { letterOf } from './editor/testForm.ts';
import { campaignPath } from './list.ts';
import { campaignsTexts as texts } from './texts.ts';

/**
 * What somebody else wrote, in a frame that runs nothing, sends nothing and is of no origin. Pictures come from where the
 * message says, as in a mail client; nothing else is fetched.
 */
const messagePolicy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/** Whom it is shown as stands in the address sealed, as people do everywhere. */
const wantedOf = async ({ parameters, query, places }: ConsoleCall) => ({
  id: parameters.id ?? '',
  to: (await places.open(query.get('as') ?? '')) ?? undefined,
  variant: /^\d$/.test(query.get('variant') ?? '') ? Number(query.get('variant')) : undefined,
});

/** POST: goes on to the message as this person would see it. */
export async function findPreview(call: ConsoleCall): Promise<ConsoleReply> {
  const { form, parameters } = call;
  const act = async () => {
    const as = sealedPerson(call, form.get('as') ?? '');
    const path = `${campaignPath(parameters.id ?? '')}/preview`;
    return redirect(placeOf(call, path, { as, variant: form.get('variant') ?? undefined }));
  };
  return submitted(call, act, (filled) => previewPage(call, filled));
}

export const showPreview = (call: ConsoleCall): Promise<ConsoleReply> => previewPage(call, untouched);

async function previewPage(call: ConsoleCall, filled: Filled): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const wanted = await wantedOf(call);
  const [campaign, preview] = await Promise.all([
    getCampaign(context, { id: wanted.id }),
    previewCampaign(context, wanted),
  ]);
  const path = campaignPath(campaign.id);
  const filters = { as: query.get('as') ?? undefined, variant: query.get('variant') ?? undefined };
  const frame = placeOf(call, `${path}/message`, filters);
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
    value: wanted.to ?? '',
  };
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'campaigns',
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
    [texts.subject[language], html`<bdi>${preview.subject}</bdi>`],
  ])}<p></p><iframe sandbox="" src="${frame}" title="${texts.preview[language]}"></iframe>
<p class="small soft">${texts.size[language].replace('{size}', size)}</p>`,
)}
${cardOf(texts.asText[language], html`<pre tabindex="0">${preview.text}</pre>`)}`,
  });
}

/** The message itself, for the frame: as HTML, in the colours of a dark screen, or as text. */
export async function showMessage(call: ConsoleCall): Promise<ConsoleReply> {
  const { html: body, text } = await previewCampaign(call.context, await wantedOf(call));
  const view = call.query.get('view');
  if (view === 'plain') return { kind: 'file', type: 'text/plain; charset=utf-8', body: text, policy: messagePolicy };
  const shown = view === null ? body : inScheme(body, view === 'dark');
  return { kind: 'file', type: 'text/html; charset=utf-8', body: shown, policy: messagePolicy };
}

/** The style sheet for the dark comes first in a message, before anything that its author wrote. */
const inScheme = (body: string, isDark: boolean): string =>
  body.replace('@media (prefers-color-scheme: dark)', isDark ? '@media all' : '@media not all');
