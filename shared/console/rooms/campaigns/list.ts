import { listCampaignsQuery } from '../../../contract/schemas/campaign/record.ts';
import { type CampaignStatus, campaignStatuses } from '../../../domain/campaign/status.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listCampaigns } from '../../../services/campaigns/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { field, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import {
  cardOf,
  emptyOf,
  linkButton,
  momentOf,
  numberOf,
  pagerOf,
  shareOf,
  type Tone,
  tableOf,
  tag,
} from '../../frame/parts.ts';
import { checked } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { campaignStatusTexts, campaignsTexts as texts } from './texts.ts';

/** Each one's counters are read. */
const perPage = 20;

const tones: Readonly<Record<CampaignStatus, Tone>> = {
  draft: 'plain',
  scheduled: 'warn',
  sending: 'warn',
  sent: 'good',
  archived: 'plain',
};

export const campaignPath = (id: string): string => `/campaigns/${encodeURIComponent(id)}`;

export const campaignTag = (status: CampaignStatus, language: Language): Html =>
  tag(campaignStatusTexts[status][language], tones[status]);

export async function showCampaigns(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const status = query.get('status') || undefined;
  const wanted = checked(listCampaignsQuery, { ...(status && { status }) });
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listCampaigns(context, { ...wanted, limit: perPage, after });
  const columns = [
    { label: texts.name[language] },
    { label: texts.status[language] },
    { label: texts.recipients[language], isNumber: true },
    { label: texts.opened[language], isNumber: true },
    { label: texts.clicked[language], isNumber: true },
    { label: texts.changed[language] },
  ];
  const rows = entries.map(({ id, name, subject, status: standing, progress, counts, rates, updatedAt }) => [
    html`<a href="${placeOf(call, campaignPath(id))}"><bdi>${name}</bdi></a><br><span class="small soft"><bdi>${subject}</bdi></span>`,
    campaignTag(standing, language),
    progress ? numberOf(counts.recipients, language) : '–',
    shareOf(rates.opened, language),
    shareOf(rates.clicked, language),
    momentOf(updatedAt, language),
  ]);
  const start = may(call, 'change') ? linkButton(texts.add[language], placeOf(call, '/campaigns/add'), '') : null;
  const list =
    rows.length > 0
      ? html`${tableOf(frameTexts.campaigns[language], columns, rows)}${pagerOf(call, '/campaigns', { status }, next)}`
      : status
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(texts.emptyTitle[language], texts.empty[language], start);
  return pageOf(call, {
    room: 'campaigns',
    title: frameTexts.campaigns[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? start : null,
    body: html`${filter(call)}${cardOf(null, list)}`,
  });
}

function filter(call: ConsoleCall): Html {
  const { language, query } = call;
  const choices = [
    ['', texts.any[language]] as const,
    ...campaignStatuses.map((status) => [status, campaignStatusTexts[status][language]] as const),
  ];
  const shown = { ...untouched, values: query };
  return html`<form method="get" class="filters" action="${placeOf(call, '/campaigns')}">
<div>${field(shown, language, { name: 'status', label: texts.status[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>`;
}
