import { type Html, html } from '../../pages/html.ts';

export type Mark = 'bar' | 'bar-soft' | 'bar-bad' | 'bar-warn';

/** One count for each label of a chart. */
interface Series {
  readonly label: string;
  readonly mark: Mark;
  readonly values: readonly number[];
}

interface BarChart {
  /** For screen readers; the figures are in a table below the chart. */
  readonly title: string;
  /** One for each group of bars; every nth is written below. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Shown on hover, one for each label. */
  readonly tips: readonly string[];
  /** True when each series is a part of the previous one; otherwise they are stacked. */
  readonly isNested?: boolean;
  readonly numbers: (value: number) => string;
}

const width = 460;
const height = 170;
const left = 40;
const bottom = 22;
const top = 8;

/** Bars as SVG: nothing to load, and they print. */
export function barChart(options: BarChart): Html {
  const { title, labels, series, tips, isNested = false, numbers } = options;
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

/** The lowest round number at or above the highest value, so that the axis has round labels. */
function niceMost(highest: number): number {
  if (highest <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 5, 10].map((factor) => factor * size).find((value) => value >= highest) ?? highest;
}

interface RateScale {
  readonly title: string;
  /** From 0 on. */
  readonly value: number;
  /** The ends of the good zone, of the zone to watch, and of the scale. */
  readonly ends: readonly [number, number, number];
  readonly labels: readonly [string, string];
}

/** A rate on a scale of three zones: good, watched, suspended. */
export function scaleOf({ title, value, ends, labels }: RateScale): Html {
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
  /** The name by which the script of live pages updates it. */
  readonly name?: string;
  readonly label: string;
  readonly value: string;
  readonly share: number;
  readonly mark?: Mark;
  /** The target of its label. */
  readonly href?: string;
}

/**
 * Shares of a whole, one per line. The ARIA roles are explicit because browsers drop those of tables that CSS displays
 * as blocks.
 */
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

/** The width of the whole, which the script of live pages knows too (browser/live.js). */
const shareWidth = 200;

const rounded = (value: number): string => String(Math.round(value * 10) / 10);
