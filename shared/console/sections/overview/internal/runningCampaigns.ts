import { type Html, html } from '../../../../pages/html.ts';
import { listCampaigns } from '../../../../services/campaigns/readCampaigns.ts';
import { type ConsoleCall, type ConsoleReply, dataOf } from '../../../call.ts';
import { numberOf } from '../../../layout/elements.ts';
import { pathOf } from '../../../paths.ts';
import { overviewTexts as texts } from './overviewTexts.ts';

const most = 20;

export type Running = Awaited<ReturnType<typeof listCampaigns>>['entries'];

/** Campaigns that are sending now. */
export async function runningCampaigns({ context }: ConsoleCall): Promise<Running> {
  return (await listCampaigns(context, { status: 'sending', limit: most, after: undefined })).entries;
}

/** Campaigns that are sending, with their progress; the script updates it while the same ones are running. */
export function runningList(call: ConsoleCall, running: Running): Html {
  const { language } = call;
  if (running.length === 0) return html`<p class="soft">${texts.runningNone[language]}</p>`;
  const lines = running.map((campaign) => {
    const { id, name } = campaign;
    const { done, all, text } = progressOf(call, campaign);
    return html`<p><a href="${pathOf(call, `/campaigns/${id}`)}"><bdi>${name}</bdi></a> <span class="soft" data-figure="${id}">${text}</span>
<progress data-bar="${id}" max="${all}" value="${done}" aria-label="${name}"></progress></p>`;
  });
  return html`<div data-live="${pathOf(call, '/live', { of: idsOf(running) })}">${lines}</div>`;
}

const idsOf = (running: Running): string =>
  running
    .map(({ id }) => id)
    .sort()
    .join(' ');

function progressOf({ language }: ConsoleCall, { progress }: Running[number]) {
  const all = progress?.queued ?? 0;
  const done = all - (progress?.waiting ?? 0);
  const text = texts.progress[language]
    .replace('{done}', numberOf(done, language))
    .replace('{all}', numberOf(all, language));
  return { done, all: Math.max(all, 1), text };
}

/** For the script: the progress of the campaigns. Ended when other campaigns are running. */
export async function liveOverview(call: ConsoleCall): Promise<ConsoleReply> {
  const running = await runningCampaigns(call);
  const known = running.map((campaign) => ({ id: campaign.id, ...progressOf(call, campaign) }));
  return dataOf({
    figures: Object.fromEntries(known.map(({ id, text }) => [id, text])),
    bars: Object.fromEntries(known.map(({ id, done, all }) => [id, { value: done, max: all }])),
    isEnded: idsOf(running) !== call.query.get('of'),
  });
}
