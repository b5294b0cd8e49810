import { canonicalAddress } from '../../../domain/address/canonicalAddress.ts';
import { html } from '../../../pages/html.ts';
import { getCampaign } from '../../../services/campaigns/get.ts';
import { previewCampaign } from '../../../services/campaigns/operator/preview.ts';
import { type ConsoleCall, type ConsoleReply, placeOf } from '../../call.ts';
import { field, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, factsOf, numberOf } from '../../frame/parts.ts';
import { campaignPath } from './list.ts';
import { campaignsTexts as texts } from './texts.ts';

/**
 * What somebody else wrote, in a frame that runs nothing, sends nothing and is of no origin. Pictures come from where the
 * message says, as in a mail client; nothing else is fetched.
 */
const messagePolicy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

const wantedOf = ({ parameters, query }: ConsoleCall) => ({
  id: parameters.id ?? '',
  // What is no address yet is nobody: the message is shown with its fallbacks.
  to: canonicalAddress(query.get('to') ?? '') ?? undefined,
  variant: /^\d$/.test(query.get('variant') ?? '') ? Number(query.get('variant')) : undefined,
});

export async function showPreview(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const wanted = wantedOf(call);
  const [campaign, preview] = await Promise.all([
    getCampaign(context, { id: wanted.id }),
    previewCampaign(context, wanted),
  ]);
  const path = campaignPath(campaign.id);
  const filters = { to: wanted.to, variant: wanted.variant === undefined ? undefined : String(wanted.variant) };
  const frame = placeOf(call, `${path}/message`, filters);
  const size = numberOf(Math.ceil(preview.htmlBytes / 1024), language);
  const variant =
    campaign.kind === 'ab_test'
      ? html`<div>${field({ ...untouched, values: query }, language, {
          name: 'variant',
          label: texts.test[language],
          options: [0, 1, 2, 3].map((index) => [
            String(index),
            texts.variant[language].replace('{number}', String(index + 1)),
          ]),
        })}</div>`
      : null;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: campaign.name, path },
    title: texts.preview[language],
    body: html`<form method="get" class="filters" action="${placeOf(call, `${path}/preview`)}">
<div>${field({ ...untouched, values: query }, language, { name: 'to', label: texts.asPerson[language], hint: texts.asPersonHint[language], type: 'search' })}</div>${variant}
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>
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
  const { html: body, text } = await previewCampaign(call.context, wantedOf(call));
  const view = call.query.get('view');
  if (view === 'plain') return { kind: 'file', type: 'text/plain; charset=utf-8', body: text, policy: messagePolicy };
  const shown = view === null ? body : inScheme(body, view === 'dark');
  return { kind: 'file', type: 'text/html; charset=utf-8', body: shown, policy: messagePolicy };
}

/** The style sheet for the dark comes first in a message, before anything that its author wrote. */
const inScheme = (body: string, isDark: boolean): string =>
  body.replace('@media (prefers-color-scheme: dark)', isDark ? '@media all' : '@media not all');
