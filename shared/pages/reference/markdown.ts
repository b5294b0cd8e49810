import { type Html, html } from '../html.ts';

/** The Markdown that our own texts hold, and no more: headings of the second rank, tables, paragraphs, and `code`. */
export function markdown(text: string): Html {
  const blocks = text.split(/\n{2,}/).map((block) => {
    if (block.startsWith('## ')) return html`<h3>${inline(block.slice(3))}</h3>\n`;
    if (block.startsWith('|')) return table(block);
    return html`<p>${inline(block)}</p>\n`;
  });
  return html`${blocks}`;
}

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
