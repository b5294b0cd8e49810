import { type Html, html } from '../../pages/html.ts';

export type Mark = 'bar' | 'bar-soft' | 'bar-bad' | 'bar-warn';

/** One thing that is counted at each place of a chart. */
interface Series {
  readonly label: string;
  readonly mark: Mark;
  readonly values: readonly number[];
}

interface ChartWanted {
  /** What a screen reader says of it; the figures are in a table behind it. */
  readonly title: string;
  /** One name a place; every so many of them is written below. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Told on hover, by place. */
  readonly tips: readonly string[];
  /** True where one series is a part of the one before it; else they stand on each other. */
  readonly isNested?: boolean;
  readonly numbers: (value: number) => string;
}

const width = 460;
const height = 170;
const left = 40;
const bottom = 22;
const top = 8;

/** Bars drawn by the server: nothing to load, and they print. */
export function barChart(wanted: ChartWanted): Html {
  const { title, labels, series, tips, isNested = false, numbers } = wanted;
  const totals = labels.map((_, place) => {
    const values = series.map(({ values: all }) => all[place] ?? 0);
    return isNested ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0);
  });
  const most = niceMost(Math.max(0, ...totals));
  const y = (value: number) => top + (height - top - bottom) * (1 - value / most);
  const step = (width - left) / labels.length;
  const lines = [0, most / 2, most].map((value) => {
    const shown = Number.isInteger(value) ? numbers(value) : '';
    return html`<line x1="${left}" x2="${width}" y1="${rounded(y(value))}" y2="${rounded(y(value))}"/><text x="${left - 8}" y="${rounded(y(value) + 4)}" text-anchor="end">${shown}</text>`;
  });
  const every = Math.ceil(labels.length / 4);
  const bars = labels.map((label, place) => {
    const x = left + place * step;
    let below = 0;
    const marks = series.map(({ mark, values }) => {
      const value = values[place] ?? 0;
      const from = isNested ? 0 : below;
      below += value;
      if (value === 0) return html``;
      return html`<rect class="fill-${mark}" x="${rounded(x + step * 0.14)}" width="${rounded(step * 0.72)}" y="${rounded(y(from + value))}" height="${rounded(y(from) - y(from + value))}" rx="1"/>`;
    });
    const name =
      place % every === 0
        ? html`<text class="${(place / every) % 2 === 1 ? 'second' : ''}" x="${rounded(x + step / 2)}" y="${height - 5}" text-anchor="${place === 0 ? 'start' : 'middle'}">${label}</text>`
        : null;
    return html`<g><title>${tips[place] ?? ''}</title><rect x="${rounded(x)}" y="${top}" width="${rounded(step)}" height="${height - top - bottom}" fill="transparent"/>${marks}${name}</g>`;
  });
  const legend =
    series.length < 2
      ? null
      : html`<ul class="legend">${series.map(({ label, mark }) => html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="fill-${mark}" width="10" height="10" rx="2"/></svg>${label}</li>`)}</ul>`;
  return html`${legend}<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${lines}${bars}</svg>`;
}

/** A round number at or above the highest, so that the lines have round names. */
function niceMost(highest: number): number {
  if (highest <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 5, 10].map((factor) => factor * size).find((value) => value >= highest) ?? highest;
}

interface ScaleWanted {
  readonly title: string;
  /** Where it stands, from 0 on. */
  readonly value: number;
  /** Ends of the calm and of the dangerous zone; the third one ends the scale. */
  readonly ends: readonly [number, number, number];
  readonly labels: readonly [string, string];
}

/** A rate between what is well, what is watched and what ends in a stop. */
export function scaleOf({ title, value, ends, labels }: ScaleWanted): Html {
  const [calm, danger, end] = ends;
  const x = (rate: number) => rounded((Math.min(rate, end) / end) * width);
  const zones = [
    ['zone-good', 0, calm],
    ['zone-warn', calm, danger],
    ['zone-bad', danger, end],
  ] as const;
  const at = Math.min(Math.max(Number(x(value)), 3), width - 3);
  return html`<svg class="chart" viewBox="0 0 ${width} 40" role="img" aria-label="${title}">
${zones.map(([zone, from, to]) => html`<rect class="${zone}" x="${x(from)}" y="4" width="${rounded(Number(x(to)) - Number(x(from)))}" height="12" rx="2"/>`)}
<rect class="needle" x="${at - 2}" y="0" width="4" height="20" rx="2"/>
<text x="${x(calm)}" y="34" text-anchor="middle">${labels[0]}</text><text x="${x(danger)}" y="34" text-anchor="middle">${labels[1]}</text></svg>`;
}

interface ShareRow {
  /** What a script that follows it calls it. */
  readonly name?: string;
  readonly label: string;
  readonly value: string;
  readonly share: number;
  readonly mark?: Mark;
  /** Where it leads to. */
  readonly href?: string;
}

/** Shares of a whole, a line each; roles are said, since browsers forget them where a style shows a line as something else. */
export function shareBars(rows: readonly ShareRow[]): Html {
  return html`<table class="shares" role="table"><tbody role="rowgroup">${rows.map(
    ({ name, label, value, share, mark = 'bar', href }) => {
      const shown = href === undefined ? label : html`<a href="${href}">${label}</a>`;
      const [ofShare, ofFigure] =
        name === undefined ? [null, null] : [html` data-share="${name}"`, html` data-figure="${name}"`];
      return html`<tr role="row"><th role="rowheader" scope="row">${shown}</th><td role="cell"><svg class="chart" viewBox="0 0 ${shareWidth} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="fill-${mark}" width="${rounded(Math.max(share, 0) * shareWidth)}" height="10" rx="2"${ofShare}/></svg></td><td role="cell" class="num"${ofFigure}>${value}</td></tr>
`;
    },
  )}</tbody></table>`;
}

/** As the script that follows a share takes it (assets/live.ts). */
const shareWidth = 200;

const rounded = (value: number): string => String(Math.round(value * 10) / 10);
