import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../html.ts';
import { codeBlock } from './codeBlock.ts';

/** The Markdown of our own texts: headings of the second and third rank, fenced code, tables, paragraphs and `code`. */
export function markdown(text: string, language: Language): Html {
  return html`${blocksOf(text).map((block) => rendered(block, language))}`;
}

/** The headings of the second rank, with the anchors that `markdown` gives them. */
export const headingsIn = (text: string): { id: string; name: string }[] =>
  blocksOf(text)
    .filter((block) => block.startsWith('## '))
    .map((block) => ({ id: anchorOf(block.slice(3)), name: block.slice(3) }));

/** Blocks are separated by empty lines, except within a fence, whose code may have empty lines of its own. */
const blocksOf = (text: string): string[] =>
  (text.match(/^```[\s\S]*?^```$|^(?:(?!```).+\n?)+/gm) ?? []).map((block) => block.trimEnd());

function rendered(text: string, language: Language): Html {
  const [, fence] = /^```\w*\n([\s\S]*?)\n?```$/.exec(text) ?? [];
  if (fence !== undefined) return codeBlock(fence, language);
  if (text.startsWith('## ')) return html`<h2 id="${anchorOf(text.slice(3))}">${inline(text.slice(3))}</h2>\n`;
  if (text.startsWith('### ')) return html`<h3 id="${anchorOf(text.slice(4))}">${inline(text.slice(4))}</h3>\n`;
  if (text.startsWith('|')) return table(text);
  return html`<p>${inline(text)}</p>\n`;
}

/** Letters without accents, in lower case, joined by hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');

/** Every second part between backticks is code. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

function table(block: string): Html {
  const [head = [], , ...rows] = block.split('\n').map((line) => line.split('|').slice(1, -1));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${head.map((cell) => cell.trim()).join(', ')}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>\n`)}</tbody>
</table></div>
`;
}
