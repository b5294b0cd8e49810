import { ServiceError } from '../../../../../contract/errors.ts';
import { recipientHeader, recipientLine } from '../../../../../domain/campaign/report.ts';
import {
  chunkPositions,
  type RecipientFilter,
  recipientFilters,
  skipReasons,
} from '../../../../../domain/campaign/slice.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import {
  type CampaignRecipientOutcome,
  campaignRecipients,
  pageOfRecipients,
} from '../../../../../services/campaigns/campaignRecipients.ts';
import { getCampaign } from '../../../../../services/campaigns/readCampaigns.ts';
import { type ConsoleCall, type ConsoleReply, may } from '../../../../call.ts';
import { cardOf, emptyOf, numberOf, pagerOf, type Tone, tableOf, tag } from '../../../../layout/elements.ts';
import { emptyForm, field, formOf } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf, personPath } from '../../../../paths.ts';
import { campaignPath } from '../campaignElements.ts';
import { filterTexts, skipTexts, outcomeTexts as texts } from './outcomeTexts.ts';

const perPage = 50;

const filterOf = (given: URLSearchParams): RecipientFilter | undefined =>
  recipientFilters.find((one) => one === given.get('outcome'));

/** The people targeted by the campaign with their outcomes: the number for each outcome, and a page of the list. */
export async function showRecipients(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const outcome = filterOf(query);
  const after = Number(/^\d{1,9}$/.exec(query.get('after') ?? '')?.[0] ?? 0);
  const campaign = await getCampaign(context, { id: parameters.id ?? '' });
  const page = await pageOfRecipients(context, { id: campaign.id, outcome, after, limit: perPage });
  const path = `${campaignPath(campaign.id)}/people`;
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: campaign.name, path: campaignPath(campaign.id) },
    title: texts.peopleTitle[language],
    body: html`${outcomeNav(call, path, outcome, page)}
${cardOf(outcome === undefined ? null : filterTexts[outcome][language], html`${listOf(call, outcome, page)}${pagerOf(call, path, { outcome }, page.next === null ? null : String(page.next))}`)}
${may(call, 'change') ? exportForm(call, path, outcome, campaign.progress?.queued ?? 0) : null}`,
    files: { style: 'campaign.css', script: 'campaign.js' },
  });
}

type RecipientPage = Awaited<ReturnType<typeof pageOfRecipients>>;

/** Links to each outcome that occurred, with the number of people. */
function outcomeNav(
  call: ConsoleCall,
  path: string,
  shown: RecipientFilter | undefined,
  { counts, all }: RecipientPage,
): Html {
  const { language } = call;
  const line = (outcome: RecipientFilter | undefined, label: string, count: number) => {
    const current = outcome === shown ? html` aria-current="true"` : null;
    return html`<li><a class="button plain small" href="${pathOf(call, path, { outcome })}"${current}>${label} <span class="soft">${numberOf(count, language)}</span></a></li>
`;
  };
  const named = recipientFilters.filter((name) => counts.has(name) || name === shown);
  const lines = named.map((name) => line(name, filterTexts[name][language], counts.get(name) ?? 0));
  return html`<nav aria-label="${texts.filter[language]}"><ul class="outcomes">${line(undefined, texts.all[language], all)}${lines}</ul></nav>`;
}

function listOf(
  call: ConsoleCall,
  outcome: RecipientFilter | undefined,
  { people, next, all, counts }: RecipientPage,
): Html {
  const { language } = call;
  if (people.length === 0) {
    const isCounted = next === null && outcome !== undefined && counts.has(outcome);
    const why = isCounted ? texts.noneKept : next === null ? texts.noneLeft : texts.none;
    const looked = next === null ? null : lookedAt(call, next, all);
    return html`${emptyOf(texts.noneTitle[language], why[language])}${looked}`;
  }
  const columns = [texts.address, texts.outcome, texts.did].map((label) => ({ label: label[language] }));
  const rows = people.map((person) => [
    html`<a href="${pathOf(call, personPath(call, person.email))}"><bdi>${person.email}</bdi></a>`,
    outcomeOf(person, language),
    eventsOf(person)
      .map((name) => filterTexts[name][language])
      .join(', '),
  ]);
  const isShort = next !== null && people.length < perPage;
  return html`${tableOf(texts.people[language], columns, rows)}${isShort ? lookedAt(call, next, all) : null}`;
}

/** With a filter that few people pass, a page ends after a fixed number of people: says how many were searched. */
function lookedAt({ language }: ConsoleCall, next: number, all: number): Html {
  const text = texts.looked[language]
    .replace('{looked}', numberOf(Math.min(next, all), language))
    .replace('{all}', numberOf(all, language));
  return html`<p class="small soft">${text}</p>`;
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

const eventsOf = (person: CampaignRecipientOutcome) =>
  (['delivered', 'bounced', 'complained', 'opened', 'clicked', 'unsubscribed'] as const).filter((name) => person[name]);

/** Chunks per file. A Lambda response has at most 6 MB, compressed. */
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
      ? html`<div>${field(emptyForm, language, { name: 'part', label: texts.part[language], options: parts })}</div>`
      : null;
  return formOf(
    call,
    { action: pathOf(call, `${path}/export`), className: 'filters', hidden: { outcome: outcome ?? '' } },
    html`${which}<div class="field"><button class="plain">${texts.export[language]}</button></div>`,
  );
}

/** One part of the list as CSV, filtered by the selected outcome. */
export async function exportRecipients({ context, form, parameters }: ConsoleCall): Promise<ConsoleReply> {
  const { id, progress } = await getCampaign(context, { id: parameters.id ?? '' });
  if (!progress) throw new ServiceError('not_found');
  const part = Number(/^\d{1,4}$/.exec(form.get('part') ?? '')?.[0] ?? 0);
  const request = { id, outcome: filterOf(form), part: { first: part * chunksOfFile, chunks: chunksOfFile } };
  let body = recipientHeader;
  for await (const people of campaignRecipients(context, request)) body += people.map(recipientLine).join('');
  return { kind: 'file', type: 'text/csv; charset=utf-8', body, saveAs: `people-${part + 1}.csv` };
}
