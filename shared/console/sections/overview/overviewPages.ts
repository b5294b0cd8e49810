import { type DayFigures, reputationThresholds } from '../../../domain/sending/reputation.ts';
import { languages } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { config } from '../../../platform/config.ts';
import { resumeConfirmations } from '../../../services/confirmations/pause.ts';
import { resumeSending } from '../../../services/reputation.ts';
import { showUsage } from '../../../services/usage.ts';
import { showWorkspace } from '../../../services/workspaces/workspaces.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../call.ts';
import { barChart, scaleOf } from '../../layout/charts.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf, figuresOf, linkButton, numberOf, shareOf, tableOf } from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf, sendingPath } from '../../paths.ts';
import { attentionCard } from './internal/attention.ts';
import { overviewTexts as texts } from './internal/overviewTexts.ts';
import { liveOverview, runningCampaigns, runningList } from './internal/runningCampaigns.ts';

async function showOverview(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const days = query.get('days') === '90' ? 90 : 30;
  const [{ days: counts, quota }, workspace, running] = await Promise.all([
    showUsage(context, { days }),
    showWorkspace(context),
    runningCampaigns(call),
  ]);
  const attention = await attentionCard(call, workspace, running);
  const sum = (name: keyof Omit<DayFigures, 'date'>) => counts.reduce((total, day) => total + day[name], 0);
  const figures = figuresOf([
    ...(['sent', 'delivered', 'opened', 'bounced', 'complained'] as const).map((name) => ({
      label: texts[name][language],
      value: numberOf(sum(name), language),
    })),
    {
      label: texts.quota[language],
      value: numberOf(Math.max(0, quota.limit - quota.used), language),
      note: texts.quotaLeft[language].replace('{quota}', numberOf(quota.limit, language)),
    },
  ]);
  const body = html`${figures}<div class="two">${attention}${cardOf(texts.running[language], runningList(call, running), 'wide')}
${cardOf(texts.traffic[language], sum('sent') === 0 ? nothingSent(call) : trafficChart(call, counts))}
${cardOf(texts.openedByDay[language], html`${openedChart(call, counts)}${openedNote(call, workspace.tracking.opens)}`)}
${cardOf(texts.problems[language], problemChart(call, counts))}
${cardOf(texts.rates[language], rates(call, workspace.sending))}</div>`;
  return pageOf(call, {
    section: 'overview',
    title: layoutTexts.overview[language],
    actions: html`${choice(call, 30, days)}${choice(call, 90, days)}${may(call, 'platform') ? html`<a class="button plain" href="${pathOf(call, sendingPath)}">${texts.allSending[language]}</a>` : null}`,
    body,
    ...(running.length > 0 && { files: { script: 'live.js' } }),
  });
}

function choice(call: ConsoleCall, days: 30 | 90, chosen: number): Html {
  const label = (days === 30 ? texts.last30 : texts.last90)[call.language];
  const current = days === chosen ? html` aria-current="true"` : null;
  return html`<a class="button plain" href="${pathOf(call, '', { days: String(days) })}"${current}>${label}</a>`;
}

const nothingSent = (call: ConsoleCall): Html =>
  html`<p class="soft">${texts.noMail[call.language]}</p>${linkButton(texts.makeKey[call.language], pathOf(call, '/settings/keys'))}`;

function trafficChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.traffic[call.language], true, [
    { name: 'sent', mark: 'bar-soft' },
    { name: 'delivered', mark: 'bar' },
  ]);
}

/** A chart of its own: opens count on the day of the open, whenever the message was sent. */
function openedChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.openedByDay[call.language], false, [{ name: 'opened', mark: 'bar' }]);
}

/** The limits of the figure: relays open messages by themselves, and without tracking there are no opens. */
const openedNote = ({ language }: ConsoleCall, isTracked: boolean): Html =>
  html`<p class="small soft">${(isTracked ? texts.openedWhat : texts.openedOff)[language]} ${config('EMAIL_LIST') === 'none' ? texts.openedUnkept[language] : ''}</p>`;

function problemChart(call: ConsoleCall, counts: readonly DayFigures[]): Html {
  return chartOf(call, counts, texts.problems[call.language], false, [
    { name: 'bounced', mark: 'bar-warn' },
    { name: 'complained', mark: 'bar-bad' },
  ]);
}

interface ChartSeries {
  readonly name: keyof Omit<DayFigures, 'date'>;
  readonly mark: 'bar' | 'bar-soft' | 'bar-warn' | 'bar-bad';
}

/** A chart with its table below it. */
function chartOf(
  { language }: ConsoleCall,
  counts: readonly DayFigures[],
  title: string,
  isNested: boolean,
  shown: readonly ChartSeries[],
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
<details><summary>${layoutTexts.table[language]}</summary>${tableOf(title, columns, rows)}</details>`;
}

/** Where SES begins to review an account, and where it may pause it (SES Developer Guide, "Reputation dashboard"). */
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
  const head = {
    section: 'overview',
    parent: { label: layoutTexts.overview[language], path: '' },
    title: texts.resume[language],
  } as const;
  if (!may(call, 'platform')) {
    return pageOf(call, { ...head, body: cardOf(null, html`<p>${texts.resumeByPlatform[language]}</p>`) });
  }
  return confirmationPage(call, {
    ...head,
    what: [texts.resumeWhat[language]],
    button: texts.resume,
    isDangerous: false,
    action: '/resume',
  });
}

async function doResume(call: ConsoleCall): Promise<ConsoleReply> {
  await resumeSending(call.context);
  return redirect(pathOf(call, '', { done: 'saved' }));
}

const confirmationsPath = '/confirmations/resume';

async function askResumeConfirmations(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  return confirmationPage(call, {
    section: 'overview',
    parent: { label: layoutTexts.overview[language], path: '' },
    title: texts.resumeConfirmations[language],
    what: [texts.resumeConfirmationsWhat[language]],
    button: texts.resumeConfirmations,
    isDangerous: false,
    action: confirmationsPath,
  });
}

async function doResumeConfirmations(call: ConsoleCall): Promise<ConsoleReply> {
  await resumeConfirmations(call.context);
  return redirect(pathOf(call, '', { done: 'saved' }));
}

export const overviewPages: readonly ConsolePage[] = [
  { method: 'GET', path: '', verb: showOverview },
  { method: 'GET', path: '/live', verb: liveOverview },
  { method: 'GET', path: '/resume', needs: 'own', verb: askResume },
  { method: 'POST', path: '/resume', verb: doResume },
  { method: 'GET', path: confirmationsPath, needs: 'own', verb: askResumeConfirmations },
  { method: 'POST', path: confirmationsPath, verb: doResumeConfirmations },
];
