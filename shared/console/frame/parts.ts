import { type Language, languages } from '../../language/languages.ts';
import { type Html, html, type Insertable } from '../../pages/html.ts';
import { type ConsoleCall, placeOf } from '../call.ts';
import { formOf } from './form.ts';
import { frameTexts as texts } from './texts.ts';

/** A moment: in the reader's zone once the script has seen it, which changes no width; without one in UTC, and says so. */
export function momentOf(iso: string | null, language: Language): Html {
  if (iso === null) return html`<span class="soft">–</span>`;
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const shown = new Intl.DateTimeFormat(languages[language].locale, format).format(new Date(iso));
  return html`<time datetime="${iso}" title="${iso}" data-local>${shown}<noscript> UTC</noscript></time>`;
}

export const numberOf = (value: number, language: Language): string =>
  new Intl.NumberFormat(languages[language].locale).format(value);

/** A share from 0 to 1; small ones with as many digits as they need. */
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

interface Column {
  readonly label: string;
  readonly isNumber?: boolean;
}

/**
 * A table whose first cell names its line; on a phone each line is a block. Roles are said, since browsers forget them
 * where a style sheet shows a table as something else.
 */
export function tableOf(caption: string, columns: readonly Column[], rows: readonly (readonly Insertable[])[]): Html {
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

/** What stands where a list has nothing: what this is, and what to do first. */
export function emptyOf(title: string, what: string, action: Html | null = null): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${what}</p>${action}</div>`;
}

/** Name and value, one a line. */
export const factsOf = (facts: readonly (readonly [string, Insertable])[]): Html =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;

export const figuresOf = (
  figures: readonly {
    /** What a script that follows it calls it. */
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

/** A list goes on where the last one ended, whatever its length; back leads to its beginning. */
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
    isFirst ? null : linkButton(texts.newer[language], placeOf(call, path, filters))
  }</span>${next === null ? null : linkButton(texts.older[language], placeOf(call, path, { ...filters, after: next }))}</nav>`;
}

/** A text with a button that copies it, for whoever has a script. */
export function copyable(text: string, language: Language): Html {
  return html`<div class="copy"><code>${text}</code><button type="button" class="plain small" data-copy="${text}" data-done="${texts.copied[language]}">${texts.copy[language]}</button></div>`;
}

/** One button that does something at once: what cannot be taken back asks on a page of its own. */
export function buttonOf(
  call: ConsoleCall,
  action: string,
  label: string,
  { className = 'plain', hidden = {} }: { className?: string; hidden?: Readonly<Record<string, string>> } = {},
): Html {
  return formOf(
    call,
    { action: placeOf(call, action), className: '', hidden },
    html`<button class="${className}">${label}</button>`,
  );
}
