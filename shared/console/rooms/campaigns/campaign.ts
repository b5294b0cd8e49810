import { type Html, html } from '../../../pages/html.ts';
import { getCampaign } from '../../../services/campaigns/get.ts';
import { readTestResults } from '../../../services/campaigns/operator/testResults.ts';
import { campaignStats } from '../../../services/campaigns/stats.ts';
import { campaignFiles } from '../../assets/campaigns/campaign.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { pageOf } from '../../frame/layout.ts';
import { buttonOf, cardOf, factsOf, linkButton, momentOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { audienceName } from './audienceName.ts';
import { campaignPath, campaignTag } from './list.ts';
import { testResults } from './outcome/testResults.ts';
import { outcomeTexts } from './outcome/texts.ts';
import { type Campaign, followed, progressOf, resultOf } from './progress.ts';
import { reportOf } from './report.ts';
import { shownThere } from './sending/moment.ts';
import { campaignsTexts as texts } from './texts.ts';

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
  const moving = html`${campaign.status === 'sending' ? cardOf(texts.progress[language], progressOf(call, campaign, test?.test ?? null)) : null}
${isOut ? cardOf(texts.result[language], resultOf(call, campaign)) : null}`;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: frameTexts.campaigns[language], path: '/campaigns' },
    title: campaign.name,
    lead: html`${campaignTag(campaign.status, language)} <bdi>${campaign.subject}</bdi>`,
    actions: actionsOf(call, campaign),
    body: html`${followed(call, campaign, test?.test ?? null, moving)}
${test ? cardOf(outcomeTexts.results[language], await testResults(call, { ...test, campaign })) : null}
${isOut ? reportOf(call, report) : null}
<div class="two">${cardOf(texts.facts[language], await facts(call, campaign))}${cardOf(texts.preview[language], message(call, campaign), 'screen')}</div>`,
    files: campaignFiles(),
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

async function facts(call: ConsoleCall, campaign: Campaign): Promise<Html> {
  const { language } = call;
  const { fromName, fromEmail, segment_id, scheduledAt, sentAt, subject, id } = campaign;
  const name = await audienceName(call, segment_id);
  const target = segment_id ? html`<a href="${placeOf(call, `/segments/${segment_id}`)}"><bdi>${name}</bdi></a>` : name;
  return factsOf([
    [texts.subject[language], html`<bdi>${subject}</bdi>`],
    [texts.from[language], html`<bdi>${fromName ?? ''}</bdi> <span class="soft">${fromEmail}</span>`],
    [texts.to[language], target],
    ...(scheduledAt ? ([[texts.scheduled[language], scheduledFor(call, scheduledAt)]] as const) : []),
    ...(sentAt ? ([[texts.sentAt[language], momentOf(sentAt, language)]] as const) : []),
    [texts.reference[language], html`<code>${id}</code>`],
  ]);
}

/** The message as its readers see it, in the frame that runs nothing. */
function message(call: ConsoleCall, { id }: Campaign): Html {
  const title = texts.preview[call.language];
  return html`<iframe sandbox="" class="small" loading="lazy" src="${placeOf(call, `${campaignPath(id)}/message`)}" title="${title}"></iframe>`;
}

/** In the reader's zone, and in the one in which it was just written. */
function scheduledFor({ context, language, query }: ConsoleCall, at: string): Html {
  const there = shownThere(new Date(at), query.get('zone') ?? '', context.now, language);
  return html`${momentOf(at, language)}${there === null ? null : html`<br><span class="soft">${there}</span>`}`;
}
