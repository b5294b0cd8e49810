import { type Html, html } from '../../../pages/html.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, placeOf } from '../../call.ts';
import { numberOf } from '../../frame/parts.ts';
import { runningCampaigns } from './attention.ts';
import { overviewTexts as texts } from './texts.ts';

type Running = Awaited<ReturnType<typeof runningCampaigns>>;

/** Campaigns on their way, each with how far it is; moved by the script for as long as the same ones run. */
export function runningList(call: ConsoleCall, running: Running): Html {
  const { language } = call;
  if (running.length === 0) return html`<p class="soft">${texts.runningNone[language]}</p>`;
  const lines = running.map((campaign) => {
    const { id, name } = campaign;
    const { done, all, said } = progressOf(call, campaign);
    return html`<p><a href="${placeOf(call, `/campaigns/${id}`)}"><bdi>${name}</bdi></a> <span class="soft" data-figure="${id}">${said}</span>
<progress data-bar="${id}" max="${all}" value="${done}" aria-label="${name}"></progress></p>`;
  });
  return html`<div data-live="${placeOf(call, '/live', { of: idsOf(running) })}">${lines}</div>`;
}

const idsOf = (running: Running): string =>
  running
    .map(({ id }) => id)
    .sort()
    .join(' ');

function progressOf({ language }: ConsoleCall, { progress }: Running[number]) {
  const all = progress?.queued ?? 0;
  const done = all - (progress?.waiting ?? 0);
  const said = texts.progress[language]
    .replace('{done}', numberOf(done, language))
    .replace('{all}', numberOf(all, language));
  return { done, all: Math.max(all, 1), said };
}

/** For the script: what the overview says of campaigns, and nothing else of it. Over when other ones run. */
export async function liveOverview(call: ConsoleCall): Promise<ConsoleReply> {
  const running = await runningCampaigns(call);
  const known = running.map((campaign) => ({ id: campaign.id, ...progressOf(call, campaign) }));
  return dataOf({
    figures: Object.fromEntries(known.map(({ id, said }) => [id, said])),
    bars: Object.fromEntries(known.map(({ id, done, all }) => [id, { value: done, max: all }])),
    isEnded: idsOf(running) !== call.query.get('of'),
  });
}
