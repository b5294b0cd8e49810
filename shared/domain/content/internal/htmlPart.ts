import { networkName } from '../../socialNetwork.ts';
import { isColor, readableOn } from '../../workspace/brand.ts';
import type { ReadBlock } from '../block.ts';
import { gap, labelOn, type MailStyle, tableTag } from '../mailStyle.ts';
import type { HtmlPiece, TemplateWriter } from '../messageTemplate.ts';
import { aligned, anchor, type BlockFrame, boxOf, htmlOfLine, htmlOfLines, linkStyle, textStyle } from './htmlText.ts';

const headingSizes = {
  1: 'font-size:26px;line-height:32px',
  2: 'font-size:21px;line-height:28px',
  3: 'font-size:17px;line-height:24px',
  4: 'font-size:16px;line-height:24px',
  5: 'font-size:14px;line-height:20px',
  6: 'font-size:13px;line-height:20px',
};

/**
 * The blocks as HTML for mail clients: tables for columns, inline styles, fixed widths for Outlook in conditional
 * comments. Classes serve dark mode and narrow screens, in clients that support style sheets.
 */
export const htmlOfBlocks = (
  blocks: readonly ReadBlock[],
  frame: { readonly writer: TemplateWriter; readonly style: MailStyle; readonly room: number },
): string => htmlIn(blocks, { ...frame, ink: 'ink', align: frame.style.align });

const htmlIn = (blocks: readonly ReadBlock[], frame: BlockFrame): string =>
  blocks.map((block) => htmlWithLook(block, frame)).join('\n');

type BlockOf<Type extends ReadBlock['type']> = Extract<ReadBlock, { readonly type: Type }>;

/** A block in its own colours. With a background it keeps them in dark mode, else its text follows dark mode. */
function htmlWithLook(block: ReadBlock, frame: BlockFrame): string {
  const { align = frame.align, color, background } = block.look ?? {};
  const placed = { ...frame, align };
  if (block.type === 'button') return button(block, placed, background);
  const text = color !== undefined && isColor(color) ? { text: color } : {};
  if (background === undefined || !isColor(background)) return htmlOfBlock(block, withColors(placed, text));
  const { link } = frame.style.light;
  const own = { text: labelDark(background), ...text, link: readableOn(background, link) };
  const inner = { ...withColors(placed, own), ink: 'own' as const, room: frame.room - 32 };
  const cell = ` bgcolor="${background}" style="padding:16px 16px 0;background:${background};border-radius:6px"`;
  return boxOf(' style="padding:0 0 16px"', boxOf(cell, htmlOfBlock(block, inner)));
}

const withColors = (frame: BlockFrame, colors: Partial<MailStyle['light']>): BlockFrame => ({
  ...frame,
  style: { ...frame.style, light: { ...frame.style.light, ...colors } },
});

const labelDark = (background: string): string => (labelOn(background) === '#ffffff' ? '#ffffff' : '#1f2328');

function htmlOfBlock(block: ReadBlock, frame: BlockFrame): string {
  const { font, light } = frame.style;
  switch (block.type) {
    case 'heading': {
      const style = `margin:8px 0 12px;${font};font-weight:700;${headingSizes[block.level]};color:${light.text}${aligned(frame)}`;
      return `<h${block.level} class="${frame.ink}" style="${style}">${htmlOfLines(block.lines, frame)}</h${block.level}>`;
    }
    case 'paragraph':
      return paragraph(htmlOfLines(block.lines, frame), frame);
    case 'image':
      return image(block, frame);
    case 'button':
      return button(block, frame);
    case 'divider':
      return boxOf(
        ' style="padding:0 0 16px"',
        `<div class="rule" style="border-top:1px solid ${light.rule};font-size:1px;line-height:1px">&nbsp;</div>`,
      );
    case 'list':
      return list(block, frame);
    case 'spacer':
      return boxOf(
        ` height="${block.height}" style="height:${block.height}px;font-size:1px;line-height:1px"`,
        '&nbsp;',
      );
    case 'social': {
      const links = block.links.map((link) => ({ href: link, label: frame.writer.html(networkName(link)) }));
      return linksInLine(links, frame, linkStyle(frame));
    }
    case 'menu': {
      const links = block.items.map(({ label, href }) => ({ href, label: htmlOfLine(label, frame) }));
      return linksInLine(links, frame, `color:${light.link};font-weight:600;text-decoration:none`);
    }
    case 'quote':
      return quote(block, frame);
    case 'code':
      return code(block, frame);
    case 'html':
      for (const link of block.links) frame.writer.link(link);
      return boxOf(
        ` class="${frame.ink}" style="${textStyle(frame).replace('margin', 'padding')}"`,
        htmlOfPieces(block.pieces, frame.writer),
      );
    case 'video':
      return video(block, frame);
    case 'product':
      return product(block, frame);
    case 'columns':
      return columns(block.columns, frame);
  }
}

const paragraph = (inside: string, frame: BlockFrame): string =>
  `<p class="${frame.ink}" style="${textStyle(frame)}${aligned(frame)}">${inside}</p>`;

/** Names of pages, since icons would have to be loaded. */
const linksInLine = (
  links: readonly { readonly href: string; readonly label: string }[],
  frame: BlockFrame,
  css: string,
): string =>
  paragraph(links.map(({ href, label }) => anchor(href, label, frame.writer, css)).join(' &nbsp;&nbsp; '), frame);

function image(block: Omit<BlockOf<'image'>, 'type'>, frame: BlockFrame, bottom = 16): string {
  const { writer, room, style } = frame;
  const width = Math.min(block.width ?? room, room);
  const css = `display:inline-block;vertical-align:top;width:${width}px;max-width:100%;height:auto;border:0;outline:none;text-decoration:none;${style.font};font-size:14px;color:${style.light.quiet}`;
  const fills = block.width === null ? ' wide' : '';
  const shown = `<img src="${writer.html(block.src)}" alt="${writer.html(block.alt)}" width="${width}" class="quiet${fills}" style="${css}">`;
  const inside = block.href === null ? shown : anchor(block.href, shown, writer, 'text-decoration:none');
  return boxOf(` align="${frame.align}" style="padding:0 0 ${bottom}px"`, inside);
}

/**
 * Outlook for Windows ignores the padding of links and pads the cell by `mso-padding-alt`; all others pad the link, so
 * that the whole button can be clicked.
 */
function button(block: Pick<BlockOf<'button'>, 'label' | 'href'>, frame: BlockFrame, background?: string): string {
  const { writer, style } = frame;
  const isOwn = background !== undefined && isColor(background);
  const color = isOwn ? background : style.light.button;
  const label = isOwn ? labelOn(color) : style.light.label;
  const css = `display:inline-block;padding:12px 24px;mso-padding-alt:0px;${style.font};font-size:16px;line-height:24px;font-weight:600;color:${label};text-decoration:none`;
  const link = anchor(block.href, htmlOfLine(block.label, frame), writer, css);
  const cell = `<td align="center" bgcolor="${color}"${isOwn ? '' : ' class="button"'} style="border-radius:6px;background:${color};mso-padding-alt:12px 24px">${link}</td>`;
  return boxOf(` align="${frame.align}" style="padding:4px 0 20px"`, `<${tableTag}><tr>${cell}</tr></table>`);
}

function list(block: BlockOf<'list'>, frame: BlockFrame): string {
  const tag = block.ordered ? 'ol' : 'ul';
  const items = block.items.map((item) => `<li style="margin:0 0 6px">${htmlOfLines(item, frame)}</li>`);
  return `<${tag} class="${frame.ink}" style="${textStyle(frame)};padding:0 0 0 24px">${items.join('')}</${tag}>`;
}

function quote({ lines, by }: BlockOf<'quote'>, frame: BlockFrame): string {
  const { font, light } = frame.style;
  const css = `margin:0;${font};font-size:17px;line-height:26px;font-style:italic;color:${light.text}${aligned(frame)}`;
  const author =
    by === null
      ? ''
      : `<p class="${frame.ink}" style="margin:8px 0 0;${font};font-size:14px;line-height:20px;color:${light.text}${aligned(frame)}">&mdash; ${htmlOfLine(by, frame)}</p>`;
  const inside = `<p class="${frame.ink}" style="${css}">${htmlOfLines(lines, frame)}</p>${author}`;
  const rule = frame.ink === 'ink' ? ' class="rule"' : '';
  const cell = `${rule} style="padding:2px 0 2px 16px;border-left:4px solid ${light.rule}"`;
  return boxOf(' style="padding:0 0 16px"', boxOf(cell, inside));
}

/** Every space is kept without `white-space`, which some clients lack. */
function code({ text }: BlockOf<'code'>, { writer, style }: BlockFrame): string {
  const lines = text
    .split('\n')
    .map((line) => writer.html(line.replaceAll('\t', '    ')).replace(/^ | (?= )/g, '&nbsp;'));
  const css = `padding:12px 16px;border-radius:6px;background:${style.light.code};font-family:'Courier New',Courier,monospace;font-size:14px;line-height:20px;color:#1f2328`;
  const cell = ` class="code" bgcolor="${style.light.code}" style="${css}"`;
  return boxOf(' style="padding:0 0 16px"', boxOf(cell, lines.join('<br>')));
}

/** HTML of the author, without what stands for the start and the end of a whole message. */
const htmlOfPieces = (pieces: readonly HtmlPiece[], writer: TemplateWriter): string =>
  pieces
    .map((piece) => {
      if (piece.kind === 'markup') return writer.markup(piece.text);
      if (piece.kind === 'styles') return writer.styles(piece.text);
      return piece.kind === 'merge' ? writer.field('html', piece.field) : '';
    })
    .join('');

/** A picture with a bar below, both of which lead to the video. */
function video({ src, alt, href }: BlockOf<'video'>, frame: BlockFrame): string {
  const { writer, style } = frame;
  const css = `display:inline-block;padding:10px 16px;mso-padding-alt:0px;${style.font};font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none`;
  const bar = anchor(href, `&#9654;&nbsp; ${writer.html(alt)}`, writer, css);
  const cell = ' bgcolor="#1f2328" style="background:#1f2328;mso-padding-alt:10px 16px"';
  const poster = image({ src, alt, href, width: null }, { ...frame, align: 'left' }, 0);
  return boxOf(' style="padding:0 0 16px"', `${poster}${boxOf(cell, bar)}`);
}

/** A card: the picture, what it is, and a button, which all lead to the product. */
function product({ src, alt, title, lines, label, href }: BlockOf<'product'>, frame: BlockFrame): string {
  const inner = { ...frame, room: frame.room - 34 };
  const parts = [
    image({ src, alt, href, width: null }, inner),
    htmlOfBlock({ type: 'heading', level: 3, lines: [title] }, inner),
    lines === null ? '' : htmlOfBlock({ type: 'paragraph', lines }, inner),
    button({ label, href }, inner),
  ];
  const cell = ` class="rule" style="padding:16px 16px 0;border:1px solid ${frame.style.light.rule};border-radius:8px"`;
  return boxOf(' style="padding:0 0 16px"', boxOf(cell, parts.filter((part) => part !== '').join('\n')));
}

/**
 * Side by side while each has nine tenths of its width, else stacked; together as wide as an image. Outlook gets a table
 * by the conditional comments. A gap that wraps to a line of its own has no height.
 */
function columns(all: readonly (readonly ReadBlock[])[], frame: BlockFrame): string {
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
    const inside = boxOf('', htmlIn(blocks, { ...frame, room: own }));
    return `${open}<div class="column" style="display:inline-block;width:${share(own)};min-width:${Math.floor(own * 0.9)}px;vertical-align:top">${inside}</div>${end}${between}`;
  });
  return `<div style="font-size:0;line-height:0">${cells.join('')}</div>`;
}
