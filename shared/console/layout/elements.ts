import { type Language, languages } from '../../language/languages.ts';
import { type Html, html, type Insertable } from '../../pages/html.ts';
import type { ConsoleCall } from '../call.ts';
import { pathOf } from '../paths.ts';
import { formOf } from './form.ts';
import { layoutTexts as texts } from './layoutTexts.ts';

/** A time that the script shows in the reader's time zone; without a script it is shown, and marked, as UTC. */
export function momentOf(iso: string | null, language: Language): Html {
  if (iso === null) return html`<span class="soft">–</span>`;
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const shown = new Intl.DateTimeFormat(languages[language].locale, format).format(new Date(iso));
  return html`<time datetime="${iso}" title="${iso}" data-local>${shown}<noscript> UTC</noscript></time>`;
}

export const numberOf = (value: number, language: Language): string =>
  new Intl.NumberFormat(languages[language].locale).format(value);

/** A share from 0 to 1 as a percentage; below 1 % with two digits. */
export function shareOf(share: number | null, language: Language): string {
  if (share === null) return '–';
  const digits = share > 0 && share < 0.01 ? 2 : 1;
  return new Intl.NumberFormat(languages[language].locale, {
    style: 'percent',
    maximumFractionDigits: digits,
  }).format(share);
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const tag = (label: string, tone: Tone = 'plain'): Html => html`<span class="tag ${tone}">${label}</span>`;

interface TableColumn {
  readonly label: string;
  readonly isNumber?: boolean;
}

/**
 * A table whose first cell names its row; on a phone each row is a block. The ARIA roles are explicit because browsers
 * drop those of tables that CSS displays as blocks.
 */
export function tableOf(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Insertable[])[],
): Html {
  const numeric = (index: number) => (columns[index]?.isNumber ? html` class="num"` : null);
  const heads = columns.map(
    ({ label }, index) => html`<th role="columnheader" scope="col"${numeric(index)}>${label}</th>`,
  );
  const lines = rows.map(
    ([first, ...others]) => html`<tr role="row"><th role="rowheader" scope="row">${first ?? null}</th>${others.map(
      (cell, index) =>
        html`<td role="cell" data-label="${columns[index + 1]?.label ?? ''}"${numeric(index + 1)}>${html`<div>${cell}</div>`}</td>`,
    )}</tr>
`,
  );
  return html`<div class="scroll list" tabindex="0" role="region" aria-label="${caption}"><table role="table"><caption class="quiet">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${lines}</tbody></table></div>`;
}

/** Shown in place of an empty list: what the list is for, and the first step. */
export function emptyOf(title: string, what: string, action: Html | null = null): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${what}</p>${action}</div>`;
}

/** Names and values, one pair a line. */
export const factsOf = (facts: readonly (readonly [string, Insertable])[]): Html =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;

export const figuresOf = (
  figures: readonly {
    /** The name by which the script of live pages updates it. */
    readonly name?: string;
    readonly label: string;
    readonly value: string;
    readonly note?: string;
  }[],
): Html =>
  html`<dl class="figures">${figures.map(
    ({ name, label, value, note }) =>
      html`<div><dt>${label}</dt><dd>${name === undefined ? value : html`<span data-figure="${name}">${value}</span>`}${note ? html`<small>${note}</small>` : null}</dd></div>`,
  )}</dl>`;

export const cardOf = (title: string | null, body: Html, className = ''): Html =>
  html`<section class="card ${className}">${title === null ? null : html`<h2>${title}</h2>`}${body}</section>
`;

export const linkButton = (label: string, href: string, className = 'plain'): Html =>
  html`<a class="button ${className}" href="${href}">${label}</a>`;

/** Links to the next and to the first page of a list. */
export function pagerOf(
  call: ConsoleCall,
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  next: string | null,
): Html | null {
  const { language, query } = call;
  const isFirst = !query.get('after');
  if (isFirst && next === null) return null;
  return html`<nav class="pager" aria-label="${texts.older[language]}"><span>${
    isFirst ? null : linkButton(texts.newer[language], pathOf(call, path, filters))
  }</span>${next === null ? null : linkButton(texts.older[language], pathOf(call, path, { ...filters, after: next }))}</nav>`;
}

/** A text with a button that copies it; the button needs the script. */
export function copyable(text: string, language: Language): Html {
  return html`<div class="copy"><code>${text}</code><button type="button" class="plain small" data-copy="${text}" data-copied="${texts.copied[language]}">${texts.copy[language]}</button></div>`;
}

/** A button that acts at once. An action that cannot be undone asks on a page of its own instead. */
export function buttonOf(
  call: ConsoleCall,
  action: string,
  label: string,
  { className = 'plain', hidden = {} }: { className?: string; hidden?: Readonly<Record<string, string>> } = {},
): Html {
  return formOf(
    call,
    { action: pathOf(call, action), className: '', hidden },
    html`<button class="${className}">${label}</button>`,
  );
}
