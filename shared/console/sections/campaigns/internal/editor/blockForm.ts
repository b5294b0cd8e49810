import { alignments, type Block, headingLevels } from '../../../../../domain/content/block.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { emptyForm, type FormState, field } from '../../../../layout/form.ts';
import { type BlockKind, blockKinds, newBlock } from './blockOperations.ts';
import { blockTexts, editorTexts as texts } from './editorTexts.ts';
import { lineOfMenuItem, linesOfItems } from './readForm.ts';

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
  const choices = alignments.map((side) => [side, texts[side][language]] as const);
  const align = () =>
    labelled('align', 'align', {
      value: ('align' in block && block.align) || '',
      options: [['', texts.usual[language]], ...choices],
    });
  const colored = (name: 'color' | 'background', value: string | undefined) =>
    labelled(name, name, { value: value ?? '', hint: texts.colorHint[language] });
  const picture = (one: { readonly src: string; readonly alt: string }) =>
    html`${labelled('src', 'src', { type: 'url', value: one.src })}
${labelled('alt', 'alt', { value: one.alt, hint: texts.altHint[language] })}`;
  const link = (href: string) => labelled('href', 'href', { type: 'url', value: href });
  /** Alignment and colours, folded while they are those of the brand. */
  const look = (...fields: readonly Html[]) => {
    const isOwn = ['align', 'color', 'background'].some((name) => name in block);
    const isWrong = filled.issues.some(
      (issue) => /\.(?:align|color|background)$/.test(issue.path) && issue.path.startsWith(`${path}.`),
    );
    return html`<details${isOwn || isWrong ? html` open` : null}><summary>${texts.look[language]}</summary>${fields}</details>`;
  };
  switch (block.type) {
    case 'heading':
      return html`${inline(labelled('text', 'text', { value: block.text }))}
${labelled('level', 'level', { value: String(block.level), options: headingLevels.map((level) => [`${level}`, `${level}`] as const) })}
${look(align(), colored('color', block.color), colored('background', block.background))}`;
    case 'paragraph':
      return html`${inline(labelled('text', 'text', { type: 'textarea', value: block.text }))}
${look(align(), colored('color', block.color), colored('background', block.background))}`;
    case 'image':
      return html`${picture(block)}
<div class="pair">${labelled('href', 'imageHref', { type: 'url', value: block.href ?? '' })}
${labelled('width', 'width', { value: Number.isNaN(block.width) ? '' : String(block.width ?? '') })}</div>
${look(align())}`;
    case 'button':
      return html`<div class="pair">${inline(labelled('label', 'label', { value: block.label }))}
${link(block.href)}</div>
${look(align(), colored('background', block.background))}`;
    case 'list':
      return html`${inline(labelled('items', 'items', { type: 'textarea', value: linesOfItems(block.items), hint: texts.itemsHint[language] }))}
<label class="pick"><input type="checkbox" name="${path}.ordered" value="yes"${block.ordered ? html` checked` : null}><span>${texts.ordered[language]}</span></label>
${look(align(), colored('color', block.color), colored('background', block.background))}`;
    case 'divider':
      return html``;
    case 'spacer':
      return labelled('height', 'height', { value: Number.isNaN(block.height) ? '' : String(block.height) });
    case 'quote':
      return html`${inline(labelled('text', 'text', { type: 'textarea', value: block.text }))}
${inline(labelled('by', 'by', { value: block.by ?? '' }))}
${look(align(), colored('color', block.color), colored('background', block.background))}`;
    case 'product':
      return html`${picture(block)}
${inline(labelled('title', 'productTitle', { value: block.title }))}
${inline(labelled('text', 'text', { type: 'textarea', value: block.text ?? '' }))}
<div class="pair">${inline(labelled('label', 'label', { value: block.label }))}
${link(block.href)}</div>`;
    case 'video':
      return html`${picture(block)}
${labelled('href', 'videoHref', { type: 'url', value: block.href })}`;
    case 'social':
      return html`${labelled('links', 'links', { type: 'textarea', value: block.links.join('\n'), hint: texts.linksHint[language] })}
${look(align())}`;
    case 'menu':
      return html`${labelled('items', 'items', { type: 'textarea', value: block.items.map(lineOfMenuItem).join('\n'), hint: texts.menuHint[language] })}
${look(align())}`;
    case 'code':
      return labelled('text', 'code', { type: 'textarea', value: block.text });
    case 'html':
      return labelled('html', 'htmlSource', { type: 'textarea', value: block.html, hint: texts.htmlHint[language] });
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
