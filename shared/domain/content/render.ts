import type { ReadBlock } from './block.ts';
import { footerBlock, footerRow, logoOf, type MessageFrame, textFooter } from './internal/frame.ts';
import { htmlOfBlocks } from './internal/htmlPart.ts';
import { textOfBlocks } from './internal/textPart.ts';
import { padding, styleOf, styleSheets, tableTag } from './mailStyle.ts';
import {
  isUnsubscribe,
  type MergeNames,
  type MergeText,
  type MessageTemplate,
  readMergeFields,
  TemplateWriter,
} from './messageTemplate.ts';
import { readHtml } from './writtenHtml.ts';

/** Parsed content without problems. */
export interface MessageContent {
  readonly subject: string;
  readonly preheader: string | null;
  readonly blocks: readonly ReadBlock[];
}

/** What a message needs besides its content. */
export interface RenderOptions extends MessageFrame {
  readonly names?: MergeNames;
}

/** Renders subject, HTML part and text part. */
export function renderTemplate(content: MessageContent, options: RenderOptions): MessageTemplate {
  const writer = new TemplateWriter();
  const subject = lineOf(readMergeFields(content.subject, options.names), 'subject', writer);
  const html = htmlDocument(content, options, writer);
  const text = textDocument(content, options, writer);
  return { subject, html, text, variables: writer.variables, links: writer.links };
}

export function lineOf({ parts }: Pick<MergeText, 'parts'>, part: 'subject' | 'text', writer: TemplateWriter): string {
  return parts
    .map((piece) => (typeof piece === 'string' ? writer.plain(part, piece) : writer.field(part, piece)))
    .join('');
}

function textDocument({ blocks }: MessageContent, options: RenderOptions, writer: TemplateWriter): string {
  const body = textOfBlocks(blocks, writer);
  const footer = textFooter(options, writer);
  return footer === '' ? `${body}\n` : `${body}\n\n${footer}`;
}

/** The content of a message whose body its author wrote as HTML. Without a text of its own, that of the HTML is sent. */
export interface HtmlContent extends Omit<MessageContent, 'blocks'> {
  readonly html: string;
  readonly plainText: string | null;
}

/** The same for HTML. What has no link to unsubscribe ends with one. */
export function renderHtml(content: HtmlContent, options: RenderOptions): MessageTemplate {
  const writer = new TemplateWriter();
  const read = readHtml(content.html);
  const subject = lineOf(readMergeFields(content.subject), 'subject', writer);
  const html = read.pieces.map((piece) => {
    if (piece.kind === 'markup') return writer.markup(piece.text);
    if (piece.kind === 'styles') return writer.styles(piece.text);
    if (piece.kind === 'merge') return writer.field('html', piece.field);
    if (piece.kind === 'end')
      return read.hasUnsubscribeLink ? '' : footerBlock(options, styleOf(options.brand), writer);
    return content.preheader === null ? '' : hidden(content.preheader, options, writer);
  });
  const parts =
    content.plainText === null
      ? read.textParts
      : readMergeFields(content.plainText.replaceAll('\r\n', '\n').trimEnd(), 'message').parts;
  const hasLink = parts.some((part) => typeof part !== 'string' && isUnsubscribe(part));
  const text = lineOf({ parts }, 'text', writer);
  const whole = hasLink ? `${text}\n` : `${text}${text === '' ? '' : '\n\n'}${textFooter(options, writer)}`;
  return { subject, html: html.join(''), text: whole, variables: writer.variables, links: read.links };
}

function htmlDocument(content: MessageContent, options: RenderOptions, writer: TemplateWriter): string {
  const { language } = options;
  const preheader = content.preheader === null ? '' : hidden(content.preheader, options, writer);
  const style = styleOf(options.brand);
  const { width, light } = style;
  const body = htmlOfBlocks(content.blocks, { writer, style, room: width - 2 * padding });
  const logo = logoOf(options, style, writer);
  const footer = footerRow(options, style, writer);
  return [
    `<!doctype html>`,
    `<html lang="${language}" dir="auto" xmlns="http://www.w3.org/1999/xhtml">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="supported-color-schemes" content="light dark">`,
    `<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">`,
    `<title>${writer.html(options.workspaceName)}</title>`,
    styleSheets(style),
    `</head>`,
    `<body class="page" style="margin:0;padding:0;background:${light.page};-webkit-text-size-adjust:100%">`,
    preheader,
    `<${tableTag} width="100%" class="page" style="background:${light.page}"><tr><td align="center" style="padding:24px 8px">`,
    `<!--[if mso]><${tableTag} width="${width}"><tr><td><![endif]-->`,
    `<${tableTag} width="100%" style="max-width:${width}px"><tr>`,
    `<td class="sheet" align="left" style="padding:32px ${padding}px 16px;background:${light.sheet};border-radius:8px;overflow-wrap:anywhere;word-break:break-word">`,
    logo,
    body,
    footer,
    `</td></tr></table>`,
    `<!--[if mso]></td></tr></table><![endif]-->`,
    `</td></tr></table>`,
    `</body>`,
    `</html>`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The preheader: shown by mail clients after the subject. The spaces keep the start of the body out of it. */
function hidden(text: string, { names }: RenderOptions, writer: TemplateWriter): string {
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
  const { parts } = readMergeFields(text, names);
  const line = parts
    .map((piece) =>
      typeof piece === 'string' ? writer.html(piece) : writer.placeholder('html', { kind: 'merge', field: piece }),
    )
    .join('');
  return `<div style="${style}">${line}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;
}
