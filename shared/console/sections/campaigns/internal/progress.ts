import type { AbTest } from '../../../../domain/campaign/campaign.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { followCampaign, type getCampaign } from '../../../../services/campaigns/readCampaigns.ts';
import { type ConsoleCall, type ConsoleReply, dataOf } from '../../../call.ts';
import { type Mark, shareBars } from '../../../layout/charts.ts';
import { figuresOf, momentOf, numberOf, shareOf } from '../../../layout/elements.ts';
import { pathOf } from '../../../paths.ts';
import { campaignPath } from './campaignElements.ts';
import { reasonTexts, campaignsTexts as texts } from './campaignTexts.ts';

export type CampaignDetail = Awaited<ReturnType<typeof getCampaign>>;

/** The values that the page updates in place. Any other change reloads the page. */
type LiveCampaign = Pick<CampaignDetail, 'id' | 'status' | 'progress' | 'counts' | 'rates'>;

const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'waiting'] as const;
const eventNames = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;

/** Wraps the page's changing part so that the script updates it, as long as the campaign can still change. */
export function followed(call: ConsoleCall, campaign: LiveCampaign, test: AbTest | null, body: Html): Html {
  if (campaign.status !== 'sending' && campaign.status !== 'scheduled') return body;
  const address = pathOf(call, `${campaignPath(campaign.id)}/live`, { of: pageState(campaign, test) });
  return html`<div data-live="${address}">${body}</div>`;
}

/** Identifies the page's layout: when it changes, the page needs other parts and buttons. */
function pageState({ status, progress }: LiveCampaign, test: AbTest | null): string {
  const pace = progress?.rate === null ? 'slow' : 'paced';
  return [status, progress?.reason, progress && pace, test?.decideAt, test?.winner]
    .filter((one) => one != null)
    .join(' ');
}

/** For the script: the current figures. `isEnded` when the page must be reloaded. */
export async function liveCampaign(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, parameters, query } = call;
  const { campaign, test } = await followCampaign(context, { id: parameters.id ?? '' });
  const { progress } = campaign;
  const figures = { ...progressFigures(call, progress), ...resultFigures(call, campaign) };
  return dataOf({
    figures,
    bars: progress ? { progress: barOf(progress) } : {},
    shares: Object.fromEntries(eventNames.map((name) => [name, shareOfPeople(campaign, name)])),
    times: progress?.estimated_end ? { end: progress.estimated_end } : {},
    isEnded: pageState(campaign, test) !== query.get('of'),
  });
}

type Progress = NonNullable<CampaignDetail['progress']>;

const barOf = ({ queued, waiting }: Progress) => ({ value: queued - waiting, max: Math.max(queued, 1) });

function progressFigures({ language }: ConsoleCall, progress: CampaignDetail['progress']): Record<string, string> {
  if (!progress) return {};
  const number = (value: number) => numberOf(value, language);
  const { queued, waiting, rate } = progress;
  const summary = texts.progressOf[language]
    .replace('{done}', number(queued - waiting))
    .replace('{all}', number(queued));
  return {
    summary,
    ...Object.fromEntries(outcomes.map((name) => [name, number(progress[name])])),
    ...(rate !== null && { rate: texts.rate[language].replace('{rate}', number(rate)) }),
  };
}

/** The progress, and why it has stopped. */
export function progressOf(call: ConsoleCall, { progress }: CampaignDetail, test: AbTest | null): Html {
  const { language } = call;
  if (!progress) return html``;
  const shown = progressFigures(call, progress);
  const { value, max } = barOf(progress);
  const reason = progress.reason === null ? '' : reasonTexts[progress.reason][language];
  const template = progress.paused ? texts.held : texts.waits;
  const notice = template[language].replace('{reason}', () => reason);
  const hasReason = progress.reason !== null && !waitsForTest(test);
  const parts = outcomes.map((name) => ({ name, label: texts[name][language], value: shown[name] ?? '' }));
  const end = html`<p class="soft"><span data-figure="rate">${shown.rate ?? ''}</span> <span data-time="end">${momentOf(progress.estimated_end, language)}</span></p>`;
  return html`${progress.paused || hasReason ? html`<div class="say warn"><p>${notice}</p></div>` : null}
<p><span data-figure="summary">${shown.summary ?? ''}</span><progress data-bar="progress" max="${max}" value="${value}" aria-label="${texts.progress[language]}"></progress></p>
${figuresOf(parts)}${waitsForTest(test) ? html`<p class="soft">${texts.waitsForTest[language]}</p>` : progress.rate === null ? null : end}`;
}

/** After the test messages were sent, the other recipients wait for the winner, whatever the pace. */
const waitsForTest = (test: AbTest | null): boolean => test !== null && test.winner === null && test.decideAt !== null;

function resultFigures({ language }: ConsoleCall, { counts, rates }: LiveCampaign): Record<string, string> {
  const rated = (name: (typeof eventNames)[number]) =>
    name in rates ? ` · ${shareOf(rates[name as keyof typeof rates], language)}` : '';
  return {
    recipients: numberOf(counts.recipients, language),
    ...Object.fromEntries(eventNames.map((name) => [name, `${numberOf(counts[name], language)}${rated(name)}`])),
  };
}

const shareOfPeople = ({ counts }: LiveCampaign, name: (typeof eventNames)[number]): number =>
  counts.recipients > 0 ? Math.min(1, counts[name] / counts.recipients) : 0;

const markOf = (name: (typeof eventNames)[number]): Mark =>
  name === 'bounced' || name === 'complained' || name === 'unsubscribed' ? 'bar-warn' : 'bar';

/** Counts from delivered to unsubscribed as shares of the recipients; each links to its people. */
export function resultOf(call: ConsoleCall, campaign: CampaignDetail): Html {
  const { language } = call;
  const shown = resultFigures(call, campaign);
  const rows = eventNames.map((name) => ({
    name,
    label: texts[name][language],
    value: shown[name] ?? '',
    share: shareOfPeople(campaign, name),
    mark: markOf(name),
    href: pathOf(call, `${campaignPath(campaign.id)}/people`, { outcome: name }),
  }));
  const recipients = { name: 'recipients', label: texts.recipients[language], value: shown.recipients ?? '' };
  return html`${figuresOf([recipients])}${shareBars(rows)}`;
}
