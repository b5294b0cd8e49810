import { type DayFigures, reputationThresholds } from '../../../domain/sending/reputation.ts';
import { languages } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { config } from '../../../platform/config.ts';
import { dailyCounts } from '../../../services/sending/daily.ts';
import { resumeSending } from '../../../services/sending/resume.ts';
import { showWorkspace } from '../../../services/workspaces/show.ts';
import { liveFiles } from '../../assets/islands.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { barChart, scaleOf } from '../../frame/charts.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, figuresOf, linkButton, numberOf, shareOf, tableOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { attentionCard, runningCampaigns } from './attention.ts';
import { liveOverview, runningList } from './running.ts';
import { overviewTexts as texts } from './texts.ts';

async function showOverview(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const days = query.get('days') === '90' ? 90 : 30;
  const [counts, workspace, running] = await Promise.all([
    dailyCounts(context, { days }),
    showWorkspace(context),
    runningCampaigns(call),
  ]);
  const attention = await attentionCard(call, workspace, running);
  const sum = (name: keyof Omit<DayFigures, 'date'>) => counts.reduce((total, day) => total + day[name], 0);
  const left = Math.max(0, workspace.monthly_quota - workspace.used_this_month);
  const quota = numberOf(workspace.monthly_quota, language);
  const figures = figuresOf([
    ...(['sent', 'delivered', 'opened', 'bounced', 'complained'] as const).map((name) => ({
      label: texts[name][language],
      value: numberOf(sum(name), language),
    })),
    {
      label: texts.quota[language],
      value: numberOf(left, language),
      note: texts.quotaLeft[language].replace('{quota}', quota),
    },
  ]);
  const body = html`${figures}<div class="two">${attention}${cardOf(texts.running[language], runningList(call, running), 'wide')}
${cardOf(texts.traffic[language], sum('sent') === 0 ? nothingSent(call) : trafficChart(call, counts))}
${cardOf(texts.openedByDay[language], html`${openedChart(call, counts)}${openedNote(call, workspace.tracking.opens)}`)}
${cardOf(texts.damage[language], damageChart(call, counts))}
${cardOf(texts.rates[language], rates(call, workspace.sending))}</div>`;
  return pageOf(call, {
    room: 'overview',
    title: frameTexts.overview[language],
    actions: html`${choice(call, 30, days)}${choice(call, 90, days)}`,
    body,
    ...(running.length > 0 && { files: liveFiles }),
  });
}

function choice(call: ConsoleCall, days: 30 | 90, chosen: number): Html {
  const label = (days === 30 ? texts.last30 : texts.last90)[call.language];
  const current = days === chosen ? html` aria-current="true"` : null;
  return html`<a class="button plain" href="${placeOf(call, '', { days: String(days) })}"${current}>${label}</a>`;
}

const nothingSent = (call: ConsoleCall): Html =>
  html`<p class="soft">${texts.noMail[call.language]}</p>${linkButton(texts.makeKey[call.language], placeOf(call, '/settings/keys'))}`;

function trafficChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.traffic[call.language], true, [
    { name: 'sent', mark: 'bar-soft' },
    { name: 'delivered', mark: 'bar' },
  ]);
}

/** Opens are of the day on which they happened, whenever the message was sent: a chart of their own. */
function openedChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.openedByDay[call.language], false, [{ name: 'opened', mark: 'bar' }]);
}

/** What the figure is worth: relays open in the reader's place, and nothing is told where opens are not followed. */
const openedNote = ({ language }: ConsoleCall, isTracked: boolean): Html =>
  html`<p class="small soft">${(isTracked ? texts.openedWhat : texts.openedOff)[language]} ${config('EMAIL_LIST') === 'none' ? texts.openedUnkept[language] : ''}</p>`;

function damageChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.damage[call.language], false, [
    { name: 'bounced', mark: 'bar-warn' },
    { name: 'complained', mark: 'bar-bad' },
  ]);
}

interface Shown {
  readonly name: keyof Omit<DayFigures, 'date'>;
  readonly mark: 'bar' | 'bar-soft' | 'bar-warn' | 'bar-bad';
}

/** A chart with its table behind it. */
function chartOf(
  { language }: ConsoleCall,
  counts: readonly DayFigures[],
  title: string,
  isNested: boolean,
  shown: readonly Shown[],
): Html {
  const dayOf = new Intl.DateTimeFormat(languages[language].locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const labels = counts.map(({ date }) => dayOf.format(new Date(date)));
  const numbers = (value: number) => numberOf(value, language);
  const tips = counts.map((day, index) =>
    [labels[index], ...shown.map(({ name }) => `${texts[name][language]} ${numbers(day[name])}`)].join(' · '),
  );
  const series = shown.map(({ name, mark }) => ({
    label: texts[name][language],
    mark,
    values: counts.map((day) => day[name]),
  }));
  const columns = [
    { label: texts.day[language] },
    ...shown.map(({ name }) => ({ label: texts[name][language], isNumber: true })),
  ];
  const rows = counts
    .map((day, index) => [labels[index] ?? '', ...shown.map(({ name }) => numbers(day[name]))])
    .reverse();
  return html`${barChart({ title, labels, series, tips, isNested, numbers })}
<details><summary>${frameTexts.table[language]}</summary>${tableOf(title, columns, rows)}</details>`;
}

/** From where SES looks at an account, and from where it may stop it (SES Developer Guide, "Reputation dashboard"). */
function rates({ language }: ConsoleCall, sending: { bounce_rate: number; complaint_rate: number }): Html {
  const scales = [
    ['bounce', sending.bounce_rate, 0.1, texts.bounceRate, texts.bounceScale],
    ['complaint', sending.complaint_rate, 0.005, texts.complaintRate, texts.complaintScale],
  ] as const;
  return html`${scales.map(([name, rate, stop, label, hint]) => {
    const title = `${label[language]} ${shareOf(rate, language)}`;
    const watched = reputationThresholds[name];
    const labels = [shareOf(watched, language), shareOf(stop, language)] as const;
    return html`<h3>${title}</h3>
${scaleOf({ title, value: rate, ends: [watched, stop, stop * 1.2], labels })}
<p class="small soft">${hint[language]}</p>`;
  })}`;
}

async function askResume(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  return askPage(call, {
    room: 'overview',
    parent: { label: frameTexts.overview[language], path: '' },
    title: texts.resume[language],
    what: [texts.resumeWhat[language]],
    button: texts.resume,
    isDangerous: false,
    action: '/resume',
  });
}

async function doResume(call: ConsoleCall): Promise<ConsoleReply> {
  await resumeSending(call.context);
  return redirect(placeOf(call, '', { done: 'saved' }));
}

export const overviewPages: readonly ConsolePage[] = [
  { method: 'GET', path: '', verb: showOverview },
  { method: 'GET', path: '/live', verb: liveOverview },
  { method: 'GET', path: '/resume', needs: 'own', verb: askResume },
  { method: 'POST', path: '/resume', verb: doResume },
];
