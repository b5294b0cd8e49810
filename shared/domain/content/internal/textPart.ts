import { networkName } from '../../socialNetwork.ts';
import type { Inline, Line, ReadBlock } from '../block.ts';
import type { TemplateWriter } from '../messageTemplate.ts';

/** The blocks as plain text, with each link's address after its label. */
export function textOfBlocks(blocks: readonly ReadBlock[], writer: TemplateWriter): string {
  return blocks
    .map((block) => textOfBlock(block, writer))
    .filter((text) => text !== '')
    .join('\n\n');
}

function textOfBlock(block: ReadBlock, writer: TemplateWriter): string {
  const lines = (all: readonly Line[]) => all.map((line) => textOfLine(line, writer)).join('\n');
  const labelled = (label: Line, href: string) => `${textOfLine(label, writer)}: ${href}`;
  const picture = (alt: string, href: string | null) =>
    [alt === '' ? '' : `[${writer.plain('text', alt)}]`, href ?? ''].filter((part) => part !== '').join(' ');
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${lines(block.lines)}`;
    case 'paragraph':
      return lines(block.lines);
    case 'image':
    case 'video':
      return picture(block.alt, block.href);
    case 'button':
      return labelled(block.label, block.href);
    case 'divider':
      return '-'.repeat(40);
    case 'list':
      return block.items
        .map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${lines(item).replaceAll('\n', '\n  ')}`)
        .join('\n');
    case 'spacer':
      return '';
    case 'social':
      return block.links.map((link) => `${networkName(link)}: ${link}`).join('\n');
    case 'menu':
      return block.items.map(({ label, href }) => labelled(label, href)).join('\n');
    case 'quote': {
      const by = block.by === null ? '' : `\n— ${textOfLine(block.by, writer)}`;
      return `${lines(block.lines)}${by}`.replace(/^/gm, '> ');
    }
    case 'code':
      return writer.plain('text', block.text);
    case 'html':
      return block.textParts
        .map((part) => (typeof part === 'string' ? writer.plain('text', part) : writer.field('text', part)))
        .join('');
    case 'product': {
      const text = block.lines === null ? [] : [lines(block.lines)];
      return [textOfLine(block.title, writer), ...text, labelled(block.label, block.href)].join('\n');
    }
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
      return writer.placeholder('text', { kind: 'merge', field: inline.field });
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
