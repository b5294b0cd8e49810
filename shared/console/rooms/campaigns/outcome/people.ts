import { ServiceError } from '../../../../contract/errors.ts';
import { recipientHeader, recipientLine } from '../../../../domain/campaign/recipientsCsv.ts';
import { chunkPositions, skipReasons } from '../../../../domain/campaign/slice.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { getCampaign } from '../../../../services/campaigns/get.ts';
import {
  type CampaignRecipientOutcome,
  campaignRecipients,
  pageOfRecipients,
  type RecipientFilter,
  recipientFilters,
} from '../../../../services/campaigns/operator/recipients.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../../call.ts';
import { field, formOf, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, emptyOf, numberOf, pagerOf, type Tone, tableOf, tag } from '../../../frame/parts.ts';
import { personPath } from '../../people/place.ts';
import { campaignPath } from '../list.ts';
import { filterTexts, skipTexts, outcomeTexts as texts } from './texts.ts';

const perPage = 50;

const filterOf = (given: URLSearchParams): RecipientFilter | undefined =>
  recipientFilters.find((one) => one === given.get('outcome'));

/** Everybody whom it was meant for at the send, and what became of them. */
export async function showRecipients(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const outcome = filterOf(query);
  const after = Number(/^\d{1,9}$/.exec(query.get('after') ?? '')?.[0] ?? 0);
  const campaign = await getCampaign(context, { id: parameters.id ?? '' });
  const { people, next } = await pageOfRecipients(context, { id: campaign.id, outcome, after, limit: perPage });
  const path = `${campaignPath(campaign.id)}/people`;
  const columns = [texts.address, texts.outcome, texts.did].map((label) => ({ label: label[language] }));
  const rows = people.map((person) => [
    html`<a href="${placeOf(call, personPath(call, person.email))}">${person.email}</a>`,
    outcomeOf(person, language),
    deedsOf(person)
      .map((name) => filterTexts[name][language])
      .join(', '),
  ]);
  const choices = [
    ['', texts.all[language]] as const,
    ...recipientFilters.map((one) => [one, filterTexts[one][language]] as const),
  ];
  const position = next === null ? null : String(next);
  const list =
    rows.length > 0
      ? tableOf(texts.people[language], columns, rows)
      : emptyOf(texts.noneTitle[language], (next === null ? texts.noneLeft : texts.none)[language]);
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: campaign.name, path: campaignPath(campaign.id) },
    title: texts.peopleTitle[language],
    body: html`<form method="get" class="filters" action="${placeOf(call, path)}">
<div>${field({ ...untouched, values: query }, language, { name: 'outcome', label: texts.filter[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>
${cardOf(null, html`${list}${pagerOf(call, path, { outcome }, position)}`)}
${may(call, 'change') ? exportForm(call, path, outcome, campaign.progress?.queued ?? 0) : null}`,
  });
}

const tones: Readonly<Record<CampaignRecipientOutcome['outcome'], Tone>> = {
  sent: 'good',
  waiting: 'plain',
  skipped: 'plain',
  uncertain: 'warn',
  failed: 'bad',
};

function outcomeOf({ outcome, reason }: CampaignRecipientOutcome, language: Language): Html {
  const why = skipReasons.find((one) => one === reason);
  return html`${tag(filterTexts[outcome][language], tones[outcome])}${why ? html` <span class="small soft">${skipTexts[why][language]}</span>` : null}`;
}

const deedsOf = (person: CampaignRecipientOutcome) =>
  (['delivered', 'bounced', 'complained', 'opened', 'clicked', 'unsubscribed'] as const).filter((name) => person[name]);

/** Chunks of one file: what Lambda hands over at most is 6 MB, compressed. */
const chunksOfFile = 60;
const peopleOfFile = chunksOfFile * chunkPositions;

function exportForm(
  call: ConsoleCall,
  path: string,
  outcome: RecipientFilter | undefined,
  people: number,
): Html | null {
  const { language } = call;
  if (people === 0) return null;
  const parts = Array.from({ length: Math.ceil(people / peopleOfFile) }, (_, part): [string, string] => {
    const [from, to] = [part * peopleOfFile + 1, Math.min(people, (part + 1) * peopleOfFile)];
    const label = texts.partOf[language]
      .replace('{from}', numberOf(from, language))
      .replace('{to}', numberOf(to, language));
    return [String(part), label];
  });
  const which =
    parts.length > 1
      ? html`<div>${field(untouched, language, { name: 'part', label: texts.part[language], options: parts })}</div>`
      : null;
  return formOf(
    call,
    { action: placeOf(call, `${path}/export`), className: 'filters', hidden: { outcome: outcome ?? '' } },
    html`${which}<div class="field"><button class="plain">${texts.export[language]}</button></div>`,
  );
}

/** One part of the list as CSV, for those of the outcome that is shown. */
export async function exportRecipients({ context, form, parameters }: ConsoleCall): Promise<ConsoleReply> {
  const { id, progress } = await getCampaign(context, { id: parameters.id ?? '' });
  if (!progress) throw new ServiceError('not_found');
  const part = Number(/^\d{1,4}$/.exec(form.get('part') ?? '')?.[0] ?? 0);
  const wanted = { id, outcome: filterOf(form), part: { first: part * chunksOfFile, chunks: chunksOfFile } };
  let body = recipientHeader;
  for await (const people of campaignRecipients(context, wanted)) body += people.map(recipientLine).join('');
  return { kind: 'file', type: 'text/csv; charset=utf-8', body, saveAs: `people-${part + 1}.csv` };
}
