import type { Line, ReadBlock } from '../content/block.ts';
import type { Inline } from '../content/inline.ts';
import type { TemplateWriter } from './template.ts';

/** The blocks as plain text: what a reader without HTML sees, links written out behind their label. */
export function textOfBlocks(blocks: readonly ReadBlock[], writer: TemplateWriter): string {
  return blocks
    .map((block) => textOfBlock(block, writer))
    .filter((text) => text !== '')
    .join('\n\n');
}

function textOfBlock(block: ReadBlock, writer: TemplateWriter): string {
  const lines = (all: readonly Line[]) => all.map((line) => textOfLine(line, writer)).join('\n');
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${lines(block.lines)}`;
    case 'paragraph':
      return lines(block.lines);
    case 'image':
      return [block.alt === '' ? '' : `[${writer.plain('text', block.alt)}]`, block.href ?? '']
        .filter((part) => part !== '')
        .join(' ');
    case 'button':
      return `${textOfLine(block.label, writer)}: ${block.href}`;
    case 'divider':
      return '-'.repeat(40);
    case 'list':
      return block.items
        .map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${lines(item).replaceAll('\n', '\n  ')}`)
        .join('\n');
    case 'columns':
      return block.columns.map((column) => textOfBlocks(column, writer)).join('\n\n');
  }
}

const textOfLine = (line: Line, writer: TemplateWriter): string =>
  line.map((inline) => textOfInline(inline, writer)).join('');

function textOfInline(inline: Inline, writer: TemplateWriter): string {
  switch (inline.kind) {
    case 'text':
      return writer.plain('text', inline.text);
    case 'merge':
      return writer.place('text', { kind: 'merge', field: inline.field });
    case 'bold':
    case 'italic':
      return textOfLine(inline.children, writer);
    case 'link': {
      const label = textOfLine(inline.children, writer);
      const address = inline.href.replace(/^(?:mailto|tel):/, '');
      return label === address || label === inline.href ? label : `${label} (${address})`;
    }
  }
}
