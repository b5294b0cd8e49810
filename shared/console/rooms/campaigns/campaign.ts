import { type Html, html } from '../../../pages/html.ts';
import { getCampaign } from '../../../services/campaigns/get.ts';
import { readTestResults } from '../../../services/campaigns/operator/testResults.ts';
import { campaignStats } from '../../../services/campaigns/stats.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { shareBars } from '../../frame/charts.ts';
import { pageOf } from '../../frame/layout.ts';
import { buttonOf, cardOf, factsOf, figuresOf, linkButton, momentOf, numberOf, shareOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { campaignPath, campaignTag } from './list.ts';
import { testResults } from './outcome/testResults.ts';
import { outcomeTexts } from './outcome/texts.ts';
import { type Report, reportOf } from './report.ts';
import { shownThere } from './sending/moment.ts';
import { holdTexts, campaignsTexts as texts } from './texts.ts';

type Campaign = Awaited<ReturnType<typeof getCampaign>>;

/** A campaign: what it is, how far it is, what became of it. */
export async function showCampaign(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id = '' } = parameters;
  const [campaign, report, test] = await Promise.all([
    getCampaign(context, { id }),
    campaignStats(context, { id }),
    readTestResults(context, { id }),
  ]);
  const isOut = campaign.progress !== null;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: frameTexts.campaigns[language], path: '/campaigns' },
    title: campaign.name,
    lead: html`${campaignTag(campaign.status, language)} <bdi>${campaign.subject}</bdi>`,
    actions: actionsOf(call, campaign),
    body: html`${campaign.status === 'sending' ? cardOf(texts.progress[language], progress(call, campaign)) : null}
${isOut ? cardOf(texts.result[language], result(call, report)) : null}
${isOut ? reportOf(call, report) : null}
${test ? cardOf(outcomeTexts.results[language], testResults(call, test)) : null}
${cardOf(texts.facts[language], facts(call, campaign))}`,
  });
}

function actionsOf(call: ConsoleCall, { id, status, progress: far }: Campaign): Html {
  const { language } = call;
  const path = campaignPath(id);
  const button = (name: 'pause' | 'resume' | 'duplicate' | 'unschedule') =>
    buttonOf(call, `${path}/${name}`, texts[name][language]);
  const link = (name: 'preview' | 'check' | 'edit' | 'cancel' | 'archive', className?: string) =>
    linkButton(texts[name][language], placeOf(call, `${path}/${name}`), className);
  const isHeld = far?.paused ?? false;
  const isCanceled = far?.reason === 'canceled';
  const changes = html`${status === 'draft' ? html`${link('edit')}${link('check', '')}` : null}
${status === 'sending' && !isHeld ? button('pause') : null}
${status === 'sending' && isHeld && !isCanceled ? button('resume') : null}
${status === 'sending' && !isCanceled ? link('cancel') : null}
${status === 'scheduled' ? button('unschedule') : null}
${button('duplicate')}
${status === 'draft' || status === 'sent' ? link('archive') : null}`;
  const people = linkButton(outcomeTexts.people[language], placeOf(call, `${path}/people`));
  return html`${link('preview')}${far ? people : null}${may(call, 'change') ? changes : null}`;
}

function progress({ language }: ConsoleCall, { progress: far }: Campaign): Html {
  if (!far) return html``;
  const number = (value: number) => numberOf(value, language);
  const done = far.queued - far.waiting;
  const said = texts.progressOf[language].replace('{done}', number(done)).replace('{all}', number(far.queued));
  const reason = far.reason === null ? null : holdTexts[far.reason];
  const parts = (['sent', 'skipped', 'failed', 'uncertain', 'waiting'] as const).map((name) => ({
    label: texts[name][language],
    value: number(far[name]),
  }));
  return html`${far.paused ? html`<div class="say warn"><p>${texts.held[language].replace('{reason}', () => reason?.[language] ?? '')}</p></div>` : null}
<p>${said}<progress max="${Math.max(far.queued, 1)}" value="${done}" aria-label="${said}"></progress></p>
${figuresOf(parts)}
${far.rate === null ? null : html`<p class="soft">${texts.rate[language].replace('{rate}', number(far.rate))} ${momentOf(far.estimated_end, language)}</p>`}`;
}

/** From who was meant to who clicked, as shares of the recipients. */
function result({ language }: ConsoleCall, { counts, rates }: Report): Html {
  const number = (value: number) => numberOf(value, language);
  const of = (value: number) => (counts.recipients > 0 ? value / counts.recipients : 0);
  const rows = (['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const).map((name) => ({
    label: texts[name][language],
    value: `${number(counts[name])}${name in rates ? ` · ${shareOf(rates[name as keyof typeof rates], language)}` : ''}`,
    share: of(counts[name]),
    mark:
      name === 'bounced' || name === 'complained' || name === 'unsubscribed' ? ('bar-warn' as const) : ('bar' as const),
  }));
  return html`${figuresOf([{ label: texts.recipients[language], value: number(counts.recipients) }])}${shareBars(rows)}`;
}

function facts(call: ConsoleCall, campaign: Campaign): Html {
  const { language } = call;
  const { fromName, fromEmail, segment_id, scheduledAt, sentAt, subject, id } = campaign;
  const target = segment_id
    ? html`<a href="${placeOf(call, `/segments/${segment_id}`)}">${texts.segment[language]}</a>`
    : texts.everybody[language];
  return factsOf([
    [texts.subject[language], html`<bdi>${subject}</bdi>`],
    [texts.from[language], html`<bdi>${fromName ?? ''}</bdi> <span class="soft">${fromEmail}</span>`],
    [texts.to[language], target],
    ...(scheduledAt ? ([[texts.scheduled[language], scheduledFor(call, scheduledAt)]] as const) : []),
    ...(sentAt ? ([[texts.sentAt[language], momentOf(sentAt, language)]] as const) : []),
    ['', html`<code>${id}</code>`],
  ]);
}

/** In the reader's zone, and in the one in which it was just written. */
function scheduledFor({ context, language, query }: ConsoleCall, at: string): Html {
  const there = shownThere(new Date(at), query.get('zone') ?? '', context.now, language);
  return html`${momentOf(at, language)}${there === null ? null : html`<br><span class="soft">${there}</span>`}`;
}
