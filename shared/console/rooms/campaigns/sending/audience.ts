import { subscriberStatuses } from '../../../../domain/person/subscriber.ts';
import { html } from '../../../../pages/html.ts';
import { getCampaign } from '../../../../services/campaigns/get.ts';
import { countOfCampaign, pageOfAudience } from '../../../../services/campaigns/operator/audience.ts';
import { campaignFiles } from '../../../assets/campaigns/campaign.ts';
import { type ConsoleCall, type ConsoleReply, placeOf } from '../../../call.ts';
import { sealedNext, soughtIn } from '../../../frame/find.ts';
import { field, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, emptyOf, pagerOf, tableOf, tag } from '../../../frame/parts.ts';
import { personPath } from '../../people/place.ts';
import { campaignPath } from '../list.ts';
import { countLater, countOf } from './counted.ts';
import { exclusionTexts, sendingTexts as texts } from './texts.ts';

const perPage = 50;

/** Who would get it now, and who would not, and why; the number, for which everybody is counted, comes after the first page. */
export async function showAudience(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const id = parameters.id ?? '';
  const status = subscriberStatuses.find((one) => one === query.get('status'));
  const { after } = await soughtIn(call);
  const isFirst = after === undefined && status === undefined;
  const [campaign, { rows, next }, count] = await Promise.all([
    getCampaign(context, { id }),
    pageOfAudience(context, { id, status, after, limit: perPage }),
    isFirst && query.has('count') ? countOfCampaign(context, { id }) : null,
  ]);
  const path = `${campaignPath(campaign.id)}/audience`;
  const columns = [texts.address, texts.standing, texts.why].map((label) => ({ label: label[language] }));
  const lines = rows.map(({ email, reason }) => [
    html`<a href="${placeOf(call, personPath(call, email))}">${email}</a>`,
    reason === null ? tag(texts.gets[language], 'good') : tag(texts.getsNot[language], 'warn'),
    reason === null ? '' : exclusionTexts[reason][language],
  ]);
  const choices = [
    ['', texts.all[language]] as const,
    ...subscriberStatuses.map(
      (one) => [one, one === 'subscribed' ? texts.subscribed[language] : exclusionTexts[one][language]] as const,
    ),
  ];
  const href = placeOf(call, path, { count: 'yes' });
  const reached = count === null ? countLater(language, href) : countOf(language, count);
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: campaign.name, path: `${campaignPath(campaign.id)}/check` },
    title: texts.audienceTitle[language].replace('{name}', () => campaign.name),
    body: html`${isFirst ? cardOf(null, html`${reached}<p class="soft small">${texts.audienceWhat[language]}</p>`) : null}
<form method="get" class="filters" action="${placeOf(call, path)}">
<div>${field({ ...untouched, values: query }, language, { name: 'status', label: texts.standing[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div></form>
${cardOf(null, lines.length > 0 ? html`${tableOf(texts.address[language], columns, lines)}${pagerOf(call, path, { status }, sealedNext(call, next))}` : emptyOf(texts.nobodyTitle[language], texts.nobody[language]))}`,
    files: campaignFiles(),
  });
}
