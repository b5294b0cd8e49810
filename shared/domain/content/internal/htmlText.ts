import type { Inline, Line } from '../block.ts';
import { type MailStyle, tableTag } from '../mailStyle.ts';
import type { TemplateWriter } from '../messageTemplate.ts';

/** What a block is written with. */
export interface BlockFrame {
  readonly writer: TemplateWriter;
  readonly style: MailStyle;
  /** The width that a block has, in pixels. */
  readonly room: number;
  /** The class of its text: `ink` follows dark mode, none keeps the colours. */
  readonly ink: 'ink' | 'own';
  readonly align: 'left' | 'center' | 'right';
}

export const textStyle = ({ style: { font, light } }: BlockFrame): string =>
  `margin:0 0 16px;${font};font-size:16px;line-height:24px;color:${light.text}`;

/** Left is how a cell stands already. */
export const aligned = ({ align }: BlockFrame): string => (align === 'left' ? '' : `;text-align:${align}`);

/** A table as wide as the block, with one cell. */
export const boxOf = (cell: string, inside: string): string =>
  `<${tableTag} width="100%"><tr><td${cell}>${inside}</td></tr></table>`;

export const htmlOfLines = (lines: readonly Line[], frame: BlockFrame): string =>
  lines.map((line) => htmlOfLine(line, frame)).join('<br>');

export const htmlOfLine = (line: Line, frame: BlockFrame): string =>
  line.map((inline) => htmlOfInline(inline, frame)).join('');

function htmlOfInline(inline: Inline, frame: BlockFrame): string {
  const { writer } = frame;
  switch (inline.kind) {
    case 'text':
      return writer.html(inline.text);
    case 'merge':
      return writer.placeholder('html', { kind: 'merge', field: inline.field });
    case 'bold':
      return `<strong>${htmlOfLine(inline.children, frame)}</strong>`;
    case 'italic':
      return `<em>${htmlOfLine(inline.children, frame)}</em>`;
    case 'link':
      return anchor(inline.href, htmlOfLine(inline.children, frame), writer, linkStyle(frame));
  }
}

export const linkStyle = ({ style }: BlockFrame): string => `color:${style.light.link};text-decoration:underline`;

/** SES must not rewrite links that are no web addresses. */
export function anchor(href: string, inside: string, writer: TemplateWriter, style: string): string {
  writer.link(href);
  const untracked = /^https?:/.test(href) ? '' : ' ses:no-track';
  return `<a href="${writer.html(href)}"${untracked} style="${style}">${inside}</a>`;
}
