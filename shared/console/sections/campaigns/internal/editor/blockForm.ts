import type { Block } from '../../../../../domain/content/block.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { emptyForm, type FormState, field } from '../../../../layout/form.ts';
import { type BlockKind, blockKinds, newBlock } from './blockOperations.ts';
import { blockTexts, editorTexts as texts } from './editorTexts.ts';
import { linesOfItems } from './readForm.ts';

interface Frame {
  readonly language: Language;
  /** Only its problems are used: the values are in the blocks. */
  readonly filled: FormState;
}

const sign = (path: Html): Html =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`;

const signs = {
  up: sign(html`<path d="M12 19V5M6 11l6-6 6 6"/>`),
  down: sign(html`<path d="M12 5v14M6 13l6 6 6-6"/>`),
  copy: sign(html`<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>`),
  delete: sign(html`<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13"/>`),
};

/** A list of blocks with buttons to add more; `base` is its path in the contract. */
export function blockList(frame: Frame, base: string, blocks: readonly Block[]): Html {
  const { language } = frame;
  const isWhole = base === 'content';
  const items = blocks.map((block, index) => blockItem(frame, `${base}[${index}]`, block));
  const kinds: readonly BlockKind[] = isWhole ? [...blockKinds, 'columns2', 'columns3'] : blockKinds;
  const buttons = kinds.map(
    (kind) =>
      html`<button class="plain small" name="do" value="add:${kind}:${base}" data-add="${kind}">${blockTexts[kind][language]}</button>\n`,
  );
  return html`<ol class="blocks" data-list data-base="${base}">${items}</ol>
<div class="adder" role="group" aria-label="${texts.add[language]}" data-adds="${base}"><span class="soft small">${texts.add[language]}</span>${buttons}</div>`;
}

function blockItem(frame: Frame, path: string, block: Block): Html {
  const { language } = frame;
  const kind = block.type === 'columns' ? (`columns${block.columns.length === 3 ? 3 : 2}` as const) : block.type;
  const step = (verb: keyof typeof signs) =>
    html`<button class="tool" name="do" value="${verb}:${path}" data-step="${verb}" title="${texts[verb][language]}">${signs[verb]}<span class="quiet">${texts[verb][language]}</span></button>`;
  return html`<li class="block" id="${path}" data-path="${path}" data-kind="${kind}" tabindex="-1"><fieldset><legend><span class="grip" draggable="true" title="${texts.drag[language]}" aria-hidden="true" hidden>⠿</span>${blockTexts[kind][language]}</legend>
<div class="tools">${step('up')}${step('down')}${step('copy')}${step('delete')}</div>
<input type="hidden" name="${path}.type" value="${block.type}">${fieldsOf(frame, path, block)}</fieldset></li>
`;
}

function fieldsOf({ language, filled }: Frame, path: string, block: Block): Html {
  const own = { ...filled, values: new URLSearchParams() };
  const labelled = (name: string, label: keyof typeof texts, more: Partial<Parameters<typeof field>[2]> = {}) =>
    field(own, language, { name: `${path}.${name}`, label: texts[label][language], ...more });
  const inline = (shown: Html) => html`<div data-inline>${shown}</div>`;
  switch (block.type) {
    case 'heading':
      return html`${inline(labelled('text', 'text', { value: block.text }))}
${labelled('level', 'level', { value: String(block.level), options: ['1', '2', '3'].map((level) => [level, level] as const) })}`;
    case 'paragraph':
      return inline(labelled('text', 'text', { type: 'textarea', value: block.text }));
    case 'image':
      return html`${labelled('src', 'src', { type: 'url', value: block.src })}
${labelled('alt', 'alt', { value: block.alt, hint: texts.altHint[language] })}
<div class="pair">${labelled('href', 'imageHref', { type: 'url', value: block.href ?? '' })}
${labelled('width', 'width', { value: Number.isNaN(block.width) ? '' : String(block.width ?? '') })}</div>`;
    case 'button':
      return html`<div class="pair">${inline(labelled('label', 'label', { value: block.label }))}
${labelled('href', 'href', { type: 'url', value: block.href })}</div>`;
    case 'list':
      return html`${inline(labelled('items', 'items', { type: 'textarea', value: linesOfItems(block.items), hint: texts.itemsHint[language] }))}
<label class="pick"><input type="checkbox" name="${path}.ordered" value="yes"${block.ordered ? html` checked` : null}><span>${texts.ordered[language]}</span></label>`;
    case 'divider':
      return html``;
    case 'columns':
      return html`<input type="hidden" name="${path}.count" value="${block.columns.length}"><div class="columns">${block.columns.map(
        (column, index) =>
          html`<div class="column" role="group" aria-label="${texts.column[language]} ${index + 1}">${blockList({ language, filled }, `${path}.columns[${index}]`, column)}</div>`,
      )}</div>`;
  }
}

/** One empty block of each kind, which the script clones. */
export function blockTemplates(language: Language): Html {
  const kinds: readonly BlockKind[] = [...blockKinds, 'columns2', 'columns3'];
  const items = kinds.map((kind) => {
    const block = newBlock(kind);
    return html`<template data-new="${kind}">${block && blockItem({ language, filled: emptyForm }, 'content[999]', block)}</template>
`;
  });
  return html`${items}`;
}
