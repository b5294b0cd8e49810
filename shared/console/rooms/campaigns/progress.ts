import type { AbTest } from '../../../domain/campaign/campaign.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { getCampaign } from '../../../services/campaigns/get.ts';
import { followCampaign } from '../../../services/campaigns/operator/follow.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, placeOf } from '../../call.ts';
import { type Mark, shareBars } from '../../frame/charts.ts';
import { figuresOf, momentOf, numberOf, shareOf } from '../../frame/parts.ts';
import { campaignPath } from './list.ts';
import { holdTexts, campaignsTexts as texts } from './texts.ts';

export type Campaign = Awaited<ReturnType<typeof getCampaign>>;

/** On what moves while one looks; anything else that changes makes the page be shown anew. */
type Followed = Pick<Campaign, 'id' | 'status' | 'progress' | 'counts' | 'rates'>;

const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'waiting'] as const;
const deeds = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;

/** What stands around a page that follows its campaign, for as long as something can come of it. */
export function followed(call: ConsoleCall, campaign: Followed, test: AbTest | null, body: Html): Html {
  if (campaign.status !== 'sending' && campaign.status !== 'scheduled') return body;
  const address = placeOf(call, `${campaignPath(campaign.id)}/live`, { of: standingOf(campaign, test) });
  return html`<div data-live="${address}">${body}</div>`;
}

/** What the page is made for: with another standing it has other parts and other buttons. */
function standingOf({ status, progress }: Followed, test: AbTest | null): string {
  const pace = progress?.rate === null ? 'slow' : 'paced';
  return [status, progress?.reason, progress && pace, test?.decideAt, test?.winner]
    .filter((one) => one != null)
    .join(' ');
}

/** For the script: the figures of the page, and nothing else of it. Over when the campaign stands otherwise. */
export async function liveCampaign(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, parameters, query } = call;
  const { campaign, test } = await followCampaign(context, { id: parameters.id ?? '' });
  const { progress } = campaign;
  const figures = { ...progressFigures(call, progress), ...resultFigures(call, campaign) };
  return dataOf({
    figures,
    bars: progress ? { progress: barOf(progress) } : {},
    shares: Object.fromEntries(deeds.map((name) => [name, shareOfPeople(campaign, name)])),
    times: progress?.estimated_end ? { end: progress.estimated_end } : {},
    isEnded: standingOf(campaign, test) !== query.get('of'),
  });
}

type Progress = NonNullable<Campaign['progress']>;

const barOf = ({ queued, waiting }: Progress) => ({ value: queued - waiting, max: Math.max(queued, 1) });

function progressFigures({ language }: ConsoleCall, progress: Campaign['progress']): Record<string, string> {
  if (!progress) return {};
  const number = (value: number) => numberOf(value, language);
  const { queued, waiting, rate } = progress;
  const said = texts.progressOf[language].replace('{done}', number(queued - waiting)).replace('{all}', number(queued));
  return {
    said,
    ...Object.fromEntries(outcomes.map((name) => [name, number(progress[name])])),
    ...(rate !== null && { rate: texts.rate[language].replace('{rate}', number(rate)) }),
  };
}

/** How far it is, and why it does not go on. */
export function progressOf(call: ConsoleCall, { progress }: Campaign, test: AbTest | null): Html {
  const { language } = call;
  if (!progress) return html``;
  const shown = progressFigures(call, progress);
  const { value, max } = barOf(progress);
  const reason = progress.reason === null ? '' : holdTexts[progress.reason][language];
  const held = texts.held[language].replace('{reason}', () => reason);
  const parts = outcomes.map((name) => ({ name, label: texts[name][language], value: shown[name] ?? '' }));
  const end = html`<p class="soft"><span data-figure="rate">${shown.rate ?? ''}</span> <span data-time="end">${momentOf(progress.estimated_end, language)}</span></p>`;
  return html`${progress.paused ? html`<div class="say warn"><p>${held}</p></div>` : null}
<p><span data-figure="said">${shown.said ?? ''}</span><progress data-bar="progress" max="${max}" value="${value}" aria-label="${texts.progress[language]}"></progress></p>
${figuresOf(parts)}${waitsForTest(test) ? html`<p class="soft">${texts.waitsForTest[language]}</p>` : progress.rate === null ? null : end}`;
}

/** Whoever got no test message waits for the one that wins, however quick the others were. */
const waitsForTest = (test: AbTest | null): boolean => test !== null && test.winner === null && test.decideAt !== null;

function resultFigures({ language }: ConsoleCall, { counts, rates }: Followed): Record<string, string> {
  const rated = (name: (typeof deeds)[number]) =>
    name in rates ? ` · ${shareOf(rates[name as keyof typeof rates], language)}` : '';
  return {
    recipients: numberOf(counts.recipients, language),
    ...Object.fromEntries(deeds.map((name) => [name, `${numberOf(counts[name], language)}${rated(name)}`])),
  };
}

const shareOfPeople = ({ counts }: Followed, name: (typeof deeds)[number]): number =>
  counts.recipients > 0 ? Math.min(1, counts[name] / counts.recipients) : 0;

const markOf = (name: (typeof deeds)[number]): Mark =>
  name === 'bounced' || name === 'complained' || name === 'unsubscribed' ? 'bar-warn' : 'bar';

/** From who was meant to who clicked, as shares of the recipients; each leads to its people. */
export function resultOf(call: ConsoleCall, campaign: Campaign): Html {
  const { language } = call;
  const shown = resultFigures(call, campaign);
  const rows = deeds.map((name) => ({
    name,
    label: texts[name][language],
    value: shown[name] ?? '',
    share: shareOfPeople(campaign, name),
    mark: markOf(name),
    href: placeOf(call, `${campaignPath(campaign.id)}/people`, { outcome: name }),
  }));
  const recipients = { name: 'recipients', label: texts.recipients[language], value: shown.recipients ?? '' };
  return html`${figuresOf([recipients])}${shareBars(rows)}`;
}
