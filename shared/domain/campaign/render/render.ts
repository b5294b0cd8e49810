import type { Language } from '../../../language/languages.ts';
import { textsOf } from '../../../language/text.ts';
import type { ReadBlock } from '../content/block.ts';
import { type MergeNames, type MergeText, readMergeFields } from '../content/mergeField.ts';
import { htmlOfBlocks, messageWidth } from './htmlPart.ts';
import { type Template, TemplateWriter } from './template.ts';
import { textOfBlocks } from './textPart.ts';

/** What is rendered: a variant of a campaign, already read and free of problems. */
export interface MessageContent {
  readonly subject: string;
  readonly preheader: string | null;
  readonly blocks: readonly ReadBlock[];
}

/** Whose message it is, and in which language its own words are. */
export interface MessageFrame {
  readonly workspaceName: string;
  readonly language: Language;
  /** A message that was not subscribed to says nothing of a subscription. */
  readonly toSubscribers?: boolean;
  readonly names?: MergeNames;
}

const texts = textsOf({
  reason: {
    en: 'You receive this message because you subscribed to {workspace}.',
    fr: 'Vous recevez ce message parce que vous êtes abonné à {workspace}.',
  },
  unsubscribe: { en: 'Unsubscribe', fr: 'Se désabonner' },
});

/** Subject, HTML and text part from one source, as SES's inline template takes them. */
export function renderTemplate(content: MessageContent, frame: MessageFrame): Template {
  const writer = new TemplateWriter();
  const subject = lineOf(readMergeFields(content.subject, frame.names), 'subject', writer);
  const html = htmlDocument(content, frame, writer);
  const text = textDocument(content, frame, writer);
  return { subject, html, text, variables: writer.variables, links: writer.links };
}

export function lineOf({ parts }: MergeText, part: 'subject' | 'text', writer: TemplateWriter): string {
  return parts
    .map((piece) =>
      typeof piece === 'string' ? writer.plain(part, piece) : writer.place(part, { kind: 'merge', field: piece }),
    )
    .join('');
}

function textDocument({ blocks }: MessageContent, frame: MessageFrame, writer: TemplateWriter): string {
  if (frame.toSubscribers === false) return `${textOfBlocks(blocks, writer)}\n`;
  const reason = writer.plain('text', reasonOf(frame));
  const unsubscribe = `${texts.unsubscribe[frame.language]}: ${writer.place('text', { kind: 'unsubscribe' })}`;
  return `${textOfBlocks(blocks, writer)}\n\n--\n${reason}\n${unsubscribe}\n`;
}

const reasonOf = ({ workspaceName, language }: MessageFrame): string =>
  texts.reason[language].replace('{workspace}', () => workspaceName);

/** `{` of a style sheet would be SES's: only single braces stand in it, as SES's syntax is double ones. */
const darkMode = `@media (prefers-color-scheme: dark) { .page { background: #16181d !important; } .sheet { background: #1f2229 !important; } .ink, .ink a { color: #e6e8ec !important; } .quiet, .quiet a { color: #a3a9b3 !important; } .rule { border-color: #3a3f4a !important; } }`;
const narrow = `@media (max-width: 480px) { .sheet { padding: 20px 16px !important; } .column { max-width: 100% !important; } }`;

function htmlDocument(content: MessageContent, frame: MessageFrame, writer: TemplateWriter): string {
  const { language } = frame;
  const preheader = content.preheader === null ? '' : hidden(content.preheader, frame, writer);
  const body = htmlOfBlocks(content.blocks, writer);
  const footer = frame.toSubscribers === false ? [] : subscriptionFooter(frame, writer);
  const table = 'role="presentation" border="0" cellpadding="0" cellspacing="0"';
  return [
    `<!doctype html>`,
    `<html lang="${language}" dir="auto" xmlns="http://www.w3.org/1999/xhtml">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="supported-color-schemes" content="light dark">`,
    `<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">`,
    `<title>${writer.html(frame.workspaceName)}</title>`,
    `<style>${narrow}</style>`,
    `<style>${darkMode}</style>`,
    `</head>`,
    `<body class="page" style="margin:0;padding:0;background:#f3f4f6;-webkit-text-size-adjust:100%">`,
    preheader,
    `<table ${table} width="100%" class="page" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 8px">`,
    `<!--[if mso]><table ${table} width="${messageWidth}"><tr><td><![endif]-->`,
    `<table ${table} width="100%" style="max-width:${messageWidth}px"><tr>`,
    `<td class="sheet" align="left" style="padding:32px 24px 16px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere;word-break:break-word">`,
    body,
    ...footer,
    `</td></tr></table>`,
    `<!--[if mso]></td></tr></table><![endif]-->`,
    `</td></tr></table>`,
    `</body>`,
    `</html>`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Why it came, and the way out. */
function subscriptionFooter(frame: MessageFrame, writer: TemplateWriter): string[] {
  const link = `<a href="${writer.place('html', { kind: 'unsubscribe' })}" ses:no-track style="color:#57606a;text-decoration:underline">${writer.html(texts.unsubscribe[frame.language])}</a>`;
  const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
  return [
    `</td></tr><tr><td class="quiet" align="left" style="padding:16px 24px;${font};font-size:13px;line-height:20px;color:#57606a">`,
    `${writer.html(reasonOf(frame))}<br>${link}`,
  ];
}

/** Shown by mail clients behind the subject and nowhere else; the spaces keep the body's first words out of it. */
function hidden(text: string, { names }: MessageFrame, writer: TemplateWriter): string {
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
  const { parts } = readMergeFields(text, names);
  const line = parts
    .map((piece) =>
      typeof piece === 'string' ? writer.html(piece) : writer.place('html', { kind: 'merge', field: piece }),
    )
    .join('');
  return `<div style="${style}">${line}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;
}
