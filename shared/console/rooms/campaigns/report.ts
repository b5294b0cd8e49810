import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { campaignStats } from '../../../services/campaigns/stats.ts';
import type { ConsoleCall } from '../../call.ts';
import { barChart, shareBars } from '../../frame/charts.ts';
import { cardOf, numberOf, shareOf, tableOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { agentTexts, campaignsTexts as texts } from './texts.ts';

export type Report = Awaited<ReturnType<typeof campaignStats>>;

/** Charts of the tally: when people opened and clicked, which links, with what. */
export function reportOf(call: ConsoleCall, report: Report): Html {
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
<details><summary>${frameTexts.table[language]}</summary>${tableOf(title, columns, rows)}</details>`;
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

/** Kinds of devices have words of a language; systems and clients are called as they are. */
const agentText = (label: string, language: Language): string =>
  Object.hasOwn(agentTexts, label) ? agentTexts[label as keyof typeof agentTexts][language] : label;
