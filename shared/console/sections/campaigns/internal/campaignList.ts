import { listCampaignsQuery } from '../../../../contract/schemas/campaignRecord.ts';
import { createCampaignRequest } from '../../../../contract/schemas/campaignRequest.ts';
import { campaignStatuses } from '../../../../domain/campaign/campaign.ts';
import type { Block } from '../../../../domain/content/block.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { createCampaign } from '../../../../services/campaigns/createCampaign.ts';
import { listCampaigns } from '../../../../services/campaigns/readCampaigns.ts';
import { listSenders } from '../../../../services/senders.ts';
import { listTemplates } from '../../../../services/templates.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import {
  cardOf,
  emptyOf,
  linkButton,
  momentOf,
  numberOf,
  pagerOf,
  shareOf,
  tableOf,
} from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, parseForm, problemsOf, submitForm } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { campaignPath, campaignTag } from './campaignElements.ts';
import { campaignStatusTexts, campaignsTexts as texts } from './campaignTexts.ts';

/** Small, because the counters of each campaign are read. */
const perPage = 20;

export async function showCampaigns(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const filter = query.get('status') || undefined;
  const search = parseForm(listCampaignsQuery, { ...(filter && { status: filter }) });
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listCampaigns(context, { ...search, limit: perPage, after });
  const columns = [
    { label: texts.name[language] },
    { label: texts.status[language] },
    { label: texts.recipients[language], isNumber: true },
    { label: texts.opened[language], isNumber: true },
    { label: texts.clicked[language], isNumber: true },
    { label: texts.changed[language] },
  ];
  const rows = entries.map(({ id, name, subject, status, progress, counts, rates, updatedAt }) => [
    html`<a href="${pathOf(call, campaignPath(id))}"><bdi>${name}</bdi></a><br><span class="small soft"><bdi>${subject}</bdi></span>`,
    campaignTag(status, language),
    progress ? numberOf(counts.recipients, language) : '–',
    shareOf(rates.opened, language),
    shareOf(rates.clicked, language),
    momentOf(updatedAt, language),
  ]);
  const start = may(call, 'change') ? linkButton(texts.add[language], pathOf(call, '/campaigns/add'), '') : null;
  const list =
    rows.length > 0
      ? html`${tableOf(layoutTexts.campaigns[language], columns, rows)}${pagerOf(call, '/campaigns', { status: filter }, next)}`
      : filter
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(texts.emptyTitle[language], texts.empty[language], start);
  return pageOf(call, {
    section: 'campaigns',
    title: layoutTexts.campaigns[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? start : null,
    body: html`${filterForm(call)}${cardOf(null, list)}`,
  });
}

function filterForm(call: ConsoleCall): Html {
  const { language, query } = call;
  const choices = [
    ['', texts.any[language]] as const,
    ...campaignStatuses.map((status) => [status, campaignStatusTexts[status][language]] as const),
  ];
  const shown = { ...emptyForm, values: query };
  return html`<form method="get" class="filters" action="${pathOf(call, '/campaigns')}">
<div>${field(shown, language, { name: 'status', label: texts.status[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>`;
}

/** The newest templates. Older ones can be used through the API. */
const maxTemplates = 100;

export const showStart = (call: ConsoleCall): Promise<ConsoleReply> => startPage(call, emptyForm);

async function startPage(call: ConsoleCall, filled: FormState): Promise<ConsoleReply> {
  const { context, language } = call;
  const [senders, templates] = await Promise.all([
    listSenders(context),
    listTemplates(context, { limit: maxTemplates, after: undefined }),
  ]);
  const begin = [['', texts.blank[language]] as const, ...templates.entries.map(({ id, name }) => [id, name] as const)];
  const form = formOf(
    call,
    { action: pathOf(call, '/campaigns/add') },
    html`${field(filled, language, { name: 'name', label: texts.name[language], hint: texts.nameHint[language], required: true })}
${field(filled, language, { name: 'subject', label: texts.subject[language] })}
${field(filled, language, { name: 'template', label: texts.begin[language], options: begin })}
<p class="hint">${texts.startHint[language]}</p><button>${texts.create[language]}</button>`,
  );
  const domains = linkButton(texts.toDomains[language], pathOf(call, '/domains'), '');
  const body =
    senders.length === 0
      ? emptyOf(texts.add[language], texts.noSender[language], domains)
      : html`${problemsOf(filled, language, ['name', 'subject', 'template'])}${form}`;
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: layoutTexts.campaigns[language], path: '/campaigns' },
    title: texts.add[language],
    body: cardOf(null, body),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** Creates a draft from a template, or with a first line that shows how a merge field is written. */
export async function startCampaign(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  const template = form.get('template') ?? '';
  const first: Block[] = [{ type: 'paragraph', text: texts.firstText[language] }];
  const act = async () => {
    const { id } = await createCampaign(
      context,
      parseForm(createCampaignRequest, {
        name: form.get('name')?.trim() ?? '',
        subject: form.get('subject')?.trim() || (template === '' ? '' : undefined),
        ...(template === '' ? { content: first } : { template: { id: template } }),
      }),
    );
    return redirect(pathOf(call, `${campaignPath(id)}/edit`));
  };
  return submitForm(call, act, (filled) => startPage(call, filled));
}
