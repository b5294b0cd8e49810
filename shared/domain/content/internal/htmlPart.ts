import type { Inline, Line, ReadBlock } from '../block.ts';
import { gap, type MailStyle, tableTag } from '../mailStyle.ts';
import type { TemplateWriter } from '../messageTemplate.ts';

/** What a block is written with. */
interface Frame {
  readonly writer: TemplateWriter;
  readonly style: MailStyle;
  /** The width that a block has, in pixels. */
  readonly room: number;
}

const headingSizes = {
  1: 'font-size:26px;line-height:32px',
  2: 'font-size:21px;line-height:28px',
  3: 'font-size:17px;line-height:24px',
};

/**
 * The blocks as HTML for mail clients: tables for columns, inline styles, fixed widths for Outlook in conditional
 * comments. Classes serve dark mode and narrow screens, in clients that support style sheets.
 */
export const htmlOfBlocks = (blocks: readonly ReadBlock[], frame: Frame): string =>
  blocks.map((block) => htmlOfBlock(block, frame)).join('\n');

function htmlOfBlock(block: ReadBlock, frame: Frame): string {
  const { font, light } = frame.style;
  switch (block.type) {
    case 'heading': {
      const style = `margin:8px 0 12px;${font};font-weight:700;${headingSizes[block.level]};color:${light.text}${aligned(frame)}`;
      return `<h${block.level} class="ink" style="${style}">${htmlOfLines(block.lines, frame)}</h${block.level}>`;
    }
    case 'paragraph':
      return `<p class="ink" style="${textStyle(frame)}${aligned(frame)}">${htmlOfLines(block.lines, frame)}</p>`;
    case 'image':
      return image(block, frame);
    case 'button':
      return button(block, frame);
    case 'divider':
      return `<${tableTag} width="100%"><tr><td style="padding:0 0 16px"><div class="rule" style="border-top:1px solid ${light.rule};font-size:1px;line-height:1px">&nbsp;</div></td></tr></table>`;
    case 'list':
      return list(block, frame);
    case 'columns':
      return columns(block.columns, frame);
  }
}

const textStyle = ({ style: { font, light } }: Frame): string =>
  `margin:0 0 16px;${font};font-size:16px;line-height:24px;color:${light.text}`;

/** Left is how a cell stands already. */
const aligned = ({ style: { align } }: Frame): string => (align === 'left' ? '' : `;text-align:${align}`);

function image(block: Extract<ReadBlock, { type: 'image' }>, frame: Frame): string {
  const { writer, room, style } = frame;
  const width = Math.min(block.width ?? room, room);
  const css = `display:inline-block;vertical-align:top;width:${width}px;max-width:100%;height:auto;border:0;outline:none;text-decoration:none;${style.font};font-size:14px;color:${style.light.quiet}`;
  const fills = block.width === null ? ' wide' : '';
  const shown = `<img src="${writer.html(block.src)}" alt="${writer.html(block.alt)}" width="${width}" class="quiet${fills}" style="${css}">`;
  const inside = block.href === null ? shown : anchor(block.href, shown, writer, 'text-decoration:none');
  return `<${tableTag} width="100%"><tr><td align="${style.align}" style="padding:0 0 16px">${inside}</td></tr></table>`;
}

/**
 * Outlook for Windows ignores the padding of links and pads the cell by `mso-padding-alt`; all others pad the link, so
 * that the whole button can be clicked.
 */
function button(block: Extract<ReadBlock, { type: 'button' }>, frame: Frame): string {
  const { writer, style } = frame;
  const { button: color, label } = style.light;
  const css = `display:inline-block;padding:12px 24px;mso-padding-alt:0px;${style.font};font-size:16px;line-height:24px;font-weight:600;color:${label};text-decoration:none`;
  const link = anchor(block.href, htmlOfLine(block.label, frame), writer, css);
  const cell = `<td align="center" bgcolor="${color}" class="button" style="border-radius:6px;background:${color};mso-padding-alt:12px 24px">${link}</td>`;
  return `<${tableTag} width="100%"><tr><td align="${style.align}" style="padding:4px 0 20px"><${tableTag}><tr>${cell}</tr></table></td></tr></table>`;
}

function list(block: Extract<ReadBlock, { type: 'list' }>, frame: Frame): string {
  const tag = block.ordered ? 'ol' : 'ul';
  const items = block.items.map((item) => `<li style="margin:0 0 6px">${htmlOfLines(item, frame)}</li>`);
  return `<${tag} class="ink" style="${textStyle(frame)};padding:0 0 0 24px">${items.join('')}</${tag}>`;
}

/**
 * Side by side while each has nine tenths of its width, else stacked; together as wide as an image. Outlook gets a table
 * by the conditional comments. A gap that wraps to a line of its own has no height.
 */
function columns(all: readonly (readonly ReadBlock[])[], frame: Frame): string {
  const { room } = frame;
  const inner = room - (all.length - 1) * gap;
  const width = Math.floor(inner / all.length);
  const share = (pixels: number) => `${Math.floor((pixels / room) * 100_000) / 1000}%`;
  const cells = all.map((blocks, index) => {
    const isLast = index === all.length - 1;
    const own = isLast ? inner - width * index : width;
    const open = `<!--[if mso]>${index === 0 ? `<${tableTag} width="${room}"><tr>` : ''}<td width="${own}" valign="top"><![endif]-->`;
    const end = `<!--[if mso]></td>${isLast ? '</tr></table>' : `<td width="${gap}">&nbsp;</td>`}<![endif]-->`;
    const between = isLast
      ? ''
      : `<!--[if !mso]><!--><div style="display:inline-block;width:${share(gap)}">&nbsp;</div><!--<![endif]-->`;
    const inside = `<${tableTag} width="100%"><tr><td>${htmlOfBlocks(blocks, { ...frame, room: own })}</td></tr></table>`;
    return `${open}<div class="column" style="display:inline-block;width:${share(own)};min-width:${Math.floor(own * 0.9)}px;vertical-align:top">${inside}</div>${end}${between}`;
  });
  return `<div style="font-size:0;line-height:0">${cells.join('')}</div>`;
}

const htmlOfLines = (lines: readonly Line[], frame: Frame): string =>
  lines.map((line) => htmlOfLine(line, frame)).join('<br>');

const htmlOfLine = (line: Line, frame: Frame): string => line.map((inline) => htmlOfInline(inline, frame)).join('');

function htmlOfInline(inline: Inline, frame: Frame): string {
  const { writer, style } = frame;
  switch (inline.kind) {
    case 'text':
      return writer.html(inline.text);
    case 'merge':
      return writer.placeholder('html', { kind: 'merge', field: inline.field });
    case 'bold':
      return `<strong>${htmlOfLine(inline.children, frame)}</strong>`;
    case 'italic':
      return `<em>${htmlOfLine(inline.children, frame)}</em>`;
    case 'link': {
      const css = `color:${style.light.link};text-decoration:underline`;
      return anchor(inline.href, htmlOfLine(inline.children, frame), writer, css);
    }
  }
}

/** SES must not rewrite links that are no web addresses. */
export function anchor(href: string, inside: string, writer: TemplateWriter, style: string): string {
  writer.link(href);
  const untracked = /^https?:/.test(href) ? '' : ' ses:no-track';
  return `<a href="${writer.html(href)}"${untracked} style="${style}">${inside}</a>`;
}
