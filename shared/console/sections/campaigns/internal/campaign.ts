import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { readTestResults } from '../../../../services/campaigns/abTest.ts';
import { campaignStats, getCampaign } from '../../../../services/campaigns/readCampaigns.ts';
import { type ConsoleCall, type ConsoleReply, may } from '../../../call.ts';
import { barChart, shareBars } from '../../../layout/charts.ts';
import {
  buttonOf,
  cardOf,
  factsOf,
  linkButton,
  momentOf,
  numberOf,
  shareOf,
  tableOf,
} from '../../../layout/elements.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { audienceName, campaignPath, campaignTag, topicNoteOf } from './campaignElements.ts';
import { agentTexts, campaignsTexts as texts } from './campaignTexts.ts';
import { outcomeTexts } from './outcome/outcomeTexts.ts';
import { testResults } from './outcome/testResults.ts';
import { type CampaignDetail, followed, progressOf, resultOf } from './progress.ts';
import { shownThere } from './sending/schedule.ts';

/** The page of a campaign: its settings, its progress and its results. */
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
    section: 'campaigns',
    parent: { label: layoutTexts.campaigns[language], path: '/campaigns' },
    title: campaign.name,
    lead: html`${campaignTag(campaign.status, language)} <bdi>${campaign.subject}</bdi>`,
    actions: actionsOf(call, campaign),
    body: html`${followed(call, campaign, test?.test ?? null, moving)}
${test ? cardOf(outcomeTexts.results[language], await testResults(call, { ...test, campaign })) : null}
${isOut ? reportOf(call, report) : null}
<div class="two">${cardOf(texts.facts[language], await facts(call, campaign))}${cardOf(texts.preview[language], message(call, campaign), 'screen')}</div>`,
    files: { style: 'campaign.css', script: 'campaign.js' },
  });
}

function actionsOf(call: ConsoleCall, { id, status, progress: far }: CampaignDetail): Html {
  const { language } = call;
  const path = campaignPath(id);
  const button = (name: 'pause' | 'resume' | 'duplicate' | 'unschedule') =>
    buttonOf(call, `${path}/${name}`, texts[name][language]);
  const link = (name: 'preview' | 'check' | 'edit' | 'cancel' | 'archive', className?: string) =>
    linkButton(texts[name][language], pathOf(call, `${path}/${name}`), className);
  const isHeld = far?.paused ?? false;
  const isCanceled = far?.reason === 'canceled';
  const changes = html`${status === 'draft' ? html`${link('edit')}${link('check', '')}` : null}
${status === 'sending' && !isHeld ? button('pause') : null}
${status === 'sending' && isHeld && !isCanceled ? button('resume') : null}
${status === 'sending' && !isCanceled ? link('cancel') : null}
${status === 'scheduled' ? button('unschedule') : null}
${button('duplicate')}
${status === 'draft' || status === 'sent' ? link('archive') : null}`;
  const people = linkButton(outcomeTexts.people[language], pathOf(call, `${path}/people`));
  return html`${link('preview')}${far ? people : null}${may(call, 'change') ? changes : null}`;
}

async function facts(call: ConsoleCall, campaign: CampaignDetail): Promise<Html> {
  const { language } = call;
  const { fromName, fromEmail, segment_id, tag, scheduledAt, sentAt, subject, id } = campaign;
  const name = await audienceName(call, segment_id);
  const target = segment_id ? html`<a href="${pathOf(call, `/segments/${segment_id}`)}"><bdi>${name}</bdi></a>` : name;
  return factsOf([
    [texts.subject[language], html`<bdi>${subject}</bdi>`],
    [texts.from[language], html`<bdi>${fromName ?? ''}</bdi> <span class="soft">${fromEmail}</span>`],
    [texts.to[language], html`${target}${await topicNoteOf(call, tag)}`],
    ...(scheduledAt ? ([[texts.scheduled[language], scheduledFor(call, scheduledAt)]] as const) : []),
    ...(sentAt ? ([[texts.sentAt[language], momentOf(sentAt, language)]] as const) : []),
    [texts.reference[language], html`<code>${id}</code>`],
  ]);
}

/** The message as recipients see it, in a sandboxed frame. */
function message(call: ConsoleCall, { id }: CampaignDetail): Html {
  const title = texts.preview[call.language];
  return html`<iframe sandbox="" class="small" loading="lazy" src="${pathOf(call, `${campaignPath(id)}/message`)}" title="${title}"></iframe>`;
}

/** The scheduled time in the reader's zone and, right after scheduling, in the zone that was chosen. */
function scheduledFor({ context, language, query }: ConsoleCall, at: string): Html {
  const there = shownThere(new Date(at), query.get('zone') ?? '', context.now, language);
  return html`${momentOf(at, language)}${there === null ? null : html`<br><span class="soft">${there}</span>`}`;
}

type Report = Awaited<ReturnType<typeof campaignStats>>;

/** Charts of the report: opens and clicks over time, links, devices. */
function reportOf(call: ConsoleCall, report: Report): Html {
  const { language } = call;
  return html`<div class="two">${cardOf(texts.timeline[language], timeline(call, report))}${cardOf(texts.links[language], links(call, report))}</div>
${cardOf(texts.devices[language], devices(call, report))}`;
}

function timeline({ language }: ConsoleCall, { timeline: windows }: Report): Html {
  if (windows.every(({ opened, clicked }) => opened + clicked === 0)) {
    return html`<p class="soft">${texts.noOpens[language]}</p>`;
  }
  const title = texts.timeline[language];
  const numbers = (value: number) => numberOf(value, language);
  const labels = windows.map(({ label }) => label);
  const series = [
    { label: texts.opened[language], mark: 'bar', values: windows.map(({ opened }) => opened) },
    { label: texts.clicked[language], mark: 'bar-warn', values: windows.map(({ clicked }) => clicked) },
  ] as const;
  const tips = windows.map(
    ({ label, opened, clicked }) =>
      `${label} · ${texts.opened[language]} ${numbers(opened)} · ${texts.clicked[language]} ${numbers(clicked)}`,
  );
  const columns = [
    { label: texts.hours[language] },
    { label: texts.opened[language], isNumber: true },
    { label: texts.clicked[language], isNumber: true },
  ];
  const rows = windows.map(({ label, opened, clicked }) => [label, numbers(opened), numbers(clicked)]);
  return html`${barChart({ title, labels, series, tips, isNested: true, numbers })}
<details><summary>${layoutTexts.table[language]}</summary>${tableOf(title, columns, rows)}</details>`;
}

function links({ language }: ConsoleCall, { links: found }: Report): Html {
  if (found.length === 0) return html`<p class="soft">${texts.noLinks[language]}</p>`;
  const columns = [{ label: texts.link[language] }, { label: texts.clicks[language], isNumber: true }];
  const rows = found.map(({ url, clicks }) => [html`<code class="small">${url}</code>`, numberOf(clicks, language)]);
  return tableOf(texts.links[language], columns, rows);
}

function devices({ language }: ConsoleCall, { audience }: Report): Html {
  const relayed = texts.proxied[language].replace('{share}', shareOf(audience.proxiedShare, language));
  const note = audience.proxiedShare > 0 ? html`<p class="small soft">${relayed}</p>` : null;
  if (audience.total === 0) return html`<p class="soft">${texts.unknownDevices[language]}</p>${note}`;
  const columns = (['device', 'os', 'client'] as const).map((name) => {
    const rows = audience[name].map(({ label, count, share }) => ({
      label: agentText(label, language),
      share,
      value: `${numberOf(count, language)} · ${shareOf(share, language)}`,
    }));
    return html`<div><h3>${texts[name][language]}</h3>${shareBars(rows)}</div>`;
  });
  return html`<div class="agents">${columns}</div>${note}`;
}

/** The name of a kind of device is translated; names of systems and clients are not. */
const agentText = (label: string, language: Language): string =>
  Object.hasOwn(agentTexts, label) ? agentTexts[label as keyof typeof agentTexts][language] : label;
