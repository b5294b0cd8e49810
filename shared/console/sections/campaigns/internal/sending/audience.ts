import { subscriberStatuses } from '../../../../../domain/person/person.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { countOfCampaign, pageOfAudience } from '../../../../../services/campaigns/preflight.ts';
import { getCampaign } from '../../../../../services/campaigns/readCampaigns.ts';
import type { ConsoleCall, ConsoleReply } from '../../../../call.ts';
import { deferredPart, partOf, type Waiting } from '../../../../layout/deferred.ts';
import { cardOf, emptyOf, figuresOf, numberOf, pagerOf, tableOf, tag } from '../../../../layout/elements.ts';
import { emptyForm, field } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { sealedPosition, searchOf } from '../../../../layout/search.ts';
import { pathOf, personPath } from '../../../../paths.ts';
import { campaignPath } from '../campaignElements.ts';
import { exclusionTexts, sendingTexts as texts } from './sendingTexts.ts';

const perPage = 50;

/**
 * Who would get the campaign now, who would not, and why. The total needs a count of the whole audience and is loaded
 * after the first page.
 */
export async function showAudience(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const id = parameters.id ?? '';
  const status = subscriberStatuses.find((one) => one === query.get('status'));
  const { after } = await searchOf(call);
  const isFirst = after === undefined && status === undefined;
  const [campaign, { rows, next }, count] = await Promise.all([
    getCampaign(context, { id }),
    pageOfAudience(context, { id, status, after, limit: perPage }),
    isFirst && query.has('count') ? countOfCampaign(context, { id }) : null,
  ]);
  const path = `${campaignPath(campaign.id)}/audience`;
  const columns = [texts.address, texts.state, texts.why].map((label) => ({ label: label[language] }));
  const lines = rows.map(({ email, reason, hasLeftTopic }) => [
    html`<a href="${pathOf(call, personPath(call, email))}">${email}</a>`,
    reason === null ? tag(texts.gets[language], 'good') : tag(texts.getsNot[language], 'warn'),
    reason === null ? '' : exclusionTexts[hasLeftTopic ? 'left_topic' : reason][language],
  ]);
  const choices = [
    ['', texts.all[language]] as const,
    ...subscriberStatuses.map(
      (one) => [one, one === 'subscribed' ? texts.subscribed[language] : exclusionTexts[one][language]] as const,
    ),
  ];
  const href = pathOf(call, path, { count: 'yes' });
  const reached = count === null ? countLater(language, href) : countOf(language, count);
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: campaign.name, path: `${campaignPath(campaign.id)}/check` },
    title: texts.audienceTitle[language].replace('{name}', () => campaign.name),
    body: html`${isFirst ? cardOf(null, html`${reached}<p class="soft small">${texts.audienceWhat[language]}</p>`) : null}
<form method="get" class="filters" action="${pathOf(call, path)}">
<div>${field({ ...emptyForm, values: query }, language, { name: 'status', label: texts.state[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>
${cardOf(null, lines.length > 0 ? html`${tableOf(texts.address[language], columns, lines)}${pagerOf(call, path, { status }, sealedPosition(call, next))}` : emptyOf(texts.nobodyTitle[language], texts.nobody[language]))}`,
    files: { style: 'campaign.css', script: 'campaign.js' },
  });
}

const part = { name: 'count', isAnnounced: true };

/** Texts shown while the audience is counted. */
export const waitingFor = (language: Language): Waiting => ({
  loading: texts.counting[language],
  failed: texts.countFails[language],
  load: texts.countNow[language],
  retry: texts.countAgain[language],
});

/** A placeholder for the number of recipients; `href` is the page that counts them. */
export const countLater = (language: Language, href: string): Html =>
  deferredPart(part, href, null, waitingFor(language));

/** The counted number of recipients, with a note. */
export const countOf = (language: Language, count: number, note: Html | null = null): Html =>
  partOf(part, html`${figuresOf([{ label: texts.recipientsNow[language], value: numberOf(count, language) }])}${note}`);

/** Shown instead of the number: why nobody would get the campaign now. */
export const countRefused = (reason: string, way: Html): Html =>
  partOf(part, html`<div class="say warn"><p>${reason} ${way}</p></div>`);
