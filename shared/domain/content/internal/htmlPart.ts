import type { Inline, Line, ReadBlock } from '../block.ts';
import type { TemplateWriter } from '../messageTemplate.ts';

/** In pixels. */
export const messageWidth = 600;
const padding = 24;
/** Space that some mail clients need at each side of a column. */
const gutter = 8;

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const textStyle = `margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#1f2328`;
const headingSizes = {
  1: 'font-size:26px;line-height:32px',
  2: 'font-size:21px;line-height:28px',
  3: 'font-size:17px;line-height:24px',
};
const table = 'role="presentation" border="0" cellpadding="0" cellspacing="0"';

/**
 * The blocks as HTML for mail clients: tables for columns, inline styles, fixed widths for Outlook in conditional
 * comments. Classes serve dark mode only, in clients that support style sheets.
 */
export function htmlOfBlocks(
  blocks: readonly ReadBlock[],
  writer: TemplateWriter,
  width = messageWidth - 2 * padding,
): string {
  return blocks.map((block) => htmlOfBlock(block, writer, width)).join('\n');
}

function htmlOfBlock(block: ReadBlock, writer: TemplateWriter, width: number): string {
  switch (block.type) {
    case 'heading': {
      const style = `margin:8px 0 12px;${font};font-weight:700;${headingSizes[block.level]};color:#1f2328`;
      return `<h${block.level} class="ink" style="${style}">${htmlOfLines(block.lines, writer)}</h${block.level}>`;
    }
    case 'paragraph':
      return `<p class="ink" style="${textStyle}">${htmlOfLines(block.lines, writer)}</p>`;
    case 'image':
      return image(block, writer, width);
    case 'button':
      return button(block, writer);
    case 'divider':
      return `<table ${table} width="100%"><tr><td class="rule" style="padding:0 0 16px"><div class="rule" style="border-top:1px solid #d0d7de;font-size:1px;line-height:1px">&nbsp;</div></td></tr></table>`;
    case 'list':
      return list(block, writer);
    case 'columns':
      return columns(block.columns, writer, width);
  }
}

function image(block: Extract<ReadBlock, { type: 'image' }>, writer: TemplateWriter, room: number): string {
  const width = Math.min(block.width ?? room, room);
  const style = `display:block;width:${width}px;max-width:100%;height:auto;border:0;outline:none;text-decoration:none;${font};font-size:14px;color:#57606a`;
  const shown = `<img src="${writer.html(block.src)}" alt="${writer.html(block.alt)}" width="${width}" class="quiet" style="${style}">`;
  const inside = block.href === null ? shown : anchor(block.href, shown, writer, 'text-decoration:none');
  return `<table ${table} width="100%"><tr><td style="padding:0 0 16px">${inside}</td></tr></table>`;
}

/** A table cell with a background: Outlook ignores the padding of links. */
function button(block: Extract<ReadBlock, { type: 'button' }>, writer: TemplateWriter): string {
  const style = `display:inline-block;padding:12px 24px;${font};font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none`;
  const link = anchor(block.href, htmlOfLine(block.label, writer), writer, style);
  return `<table ${table}><tr><td style="padding:4px 0 20px"><table ${table}><tr><td align="center" bgcolor="#1f4f99" style="border-radius:6px;background:#1f4f99">${link}</td></tr></table></td></tr></table>`;
}

function list(block: Extract<ReadBlock, { type: 'list' }>, writer: TemplateWriter): string {
  const tag = block.ordered ? 'ol' : 'ul';
  const items = block.items.map((item) => `<li style="margin:0 0 6px">${htmlOfLines(item, writer)}</li>`);
  return `<${tag} class="ink" style="${textStyle};padding:0 0 0 24px">${items.join('')}</${tag}>`;
}

/** Side by side on wide screens, else stacked. Outlook gets a table by the conditional comments. */
function columns(all: readonly (readonly ReadBlock[])[], writer: TemplateWriter, room: number): string {
  const width = Math.floor((room - 2 * gutter) / all.length);
  const cells = all.map((blocks, index) => {
    const open = `<!--[if mso]>${index === 0 ? `<table ${table} width="${room - 2 * gutter}"><tr>` : ''}<td width="${width}" valign="top"><![endif]-->`;
    const end = `<!--[if mso]></td>${index === all.length - 1 ? '</tr></table>' : ''}<![endif]-->`;
    const inside = `<table ${table} width="100%"><tr><td style="padding:0 8px 0 0">${htmlOfBlocks(blocks, writer, width - 8)}</td></tr></table>`;
    return `${open}<div class="column" style="display:inline-block;width:100%;max-width:${width}px;vertical-align:top">${inside}</div>${end}`;
  });
  return `<div style="font-size:0;line-height:0">${cells.join('')}</div>`;
}

const htmlOfLines = (lines: readonly Line[], writer: TemplateWriter): string =>
  lines.map((line) => htmlOfLine(line, writer)).join('<br>');

const htmlOfLine = (line: Line, writer: TemplateWriter): string =>
  line.map((inline) => htmlOfInline(inline, writer)).join('');

function htmlOfInline(inline: Inline, writer: TemplateWriter): string {
  switch (inline.kind) {
    case 'text':
      return writer.html(inline.text);
    case 'merge':
      return writer.placeholder('html', { kind: 'merge', field: inline.field });
    case 'bold':
      return `<strong>${htmlOfLine(inline.children, writer)}</strong>`;
    case 'italic':
      return `<em>${htmlOfLine(inline.children, writer)}</em>`;
    case 'link':
      return anchor(
        inline.href,
        htmlOfLine(inline.children, writer),
        writer,
        'color:#1f4f99;text-decoration:underline',
      );
  }
}

/** SES must not rewrite links that are no web addresses. */
function anchor(href: string, inside: string, writer: TemplateWriter, style: string): string {
  writer.link(href);
  const untracked = /^https?:/.test(href) ? '' : ' ses:no-track';
  return `<a href="${writer.html(href)}"${untracked} style="${style}">${inside}</a>`;
}
