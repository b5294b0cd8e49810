import type { Language } from '../../../language/languages.ts';
import { textsOf } from '../../../language/text.ts';
import { networkName } from '../../socialNetwork.ts';
import { type MailBrand, mailBrandBounds } from '../../workspace/mailBrand.ts';
import { type MailStyle, padding, tableTag } from '../mailStyle.ts';
import type { TemplateWriter } from '../messageTemplate.ts';
import { anchor } from './htmlText.ts';

/** What stands around the blocks: the sender's logo, name, address and links, and how a person leaves. */
export interface MessageFrame {
  readonly workspaceName: string;
  readonly language: Language;
  readonly brand?: MailBrand | undefined;
  /** False leaves out why a person gets the message, and the unsubscribe link. */
  readonly toSubscribers?: boolean;
}

const texts = textsOf({
  reason: {
    en: 'You receive this message because you subscribed to {workspace}.',
    fr: 'Vous recevez ce message parce que vous êtes abonné à {workspace}.',
  },
  unsubscribe: {
    en: 'Unsubscribe or change your preferences',
    fr: 'Se désabonner ou modifier ses préférences',
  },
});

const senderOf = ({ brand, workspaceName }: MessageFrame): string => brand?.name ?? workspaceName;

const reasonOf = (frame: MessageFrame): string =>
  texts.reason[frame.language].replace('{workspace}', () => senderOf(frame));

/** The logo above the blocks; empty without one. */
export function logoOf(frame: MessageFrame, style: MailStyle, writer: TemplateWriter): string {
  const { logoUrl, logoWidth = mailBrandBounds.logoWidth.usual } = frame.brand ?? {};
  if (logoUrl === undefined) return '';
  const css = `display:inline-block;width:${logoWidth}px;max-width:100%;height:auto;border:0;${style.font};font-size:18px;color:${style.light.text}`;
  const image = `<img src="${writer.html(logoUrl)}" alt="${writer.html(senderOf(frame))}" width="${logoWidth}" class="ink" style="${css}">`;
  return `<${tableTag} width="100%"><tr><td align="${style.align}" style="padding:0 0 20px">${image}</td></tr></table>`;
}

/** The lines of the footer. Each piece is text, the address of a page, or the place of the unsubscribe link. */
type FooterLine = { readonly text: string } | { readonly links: readonly string[] } | { readonly isUnsubscribe: true };

function footerLines(frame: MessageFrame): FooterLine[] {
  const { address, links = [] } = frame.brand ?? {};
  const name = frame.brand?.name ?? (address === undefined ? [] : frame.workspaceName);
  return [
    ...(frame.toSubscribers === false ? [] : [{ text: reasonOf(frame) }]),
    ...[name, address?.split('\n') ?? []].flat().map((text) => ({ text })),
    ...(links.length > 0 ? [{ links }] : []),
    ...(frame.toSubscribers === false ? [] : [{ isUnsubscribe: true as const }]),
  ];
}

/** The lines of the footer for readers of plain text; empty without any. */
export function textFooter(frame: MessageFrame, writer: TemplateWriter): string {
  const lines = footerLines(frame).flatMap((line) => {
    if ('text' in line) return [writer.plain('text', line.text)];
    if ('links' in line) return line.links.map((link) => writer.plain('text', `${networkName(link)}: ${link}`));
    return [`${texts.unsubscribe[frame.language]}: ${writer.placeholder('text', { kind: 'unsubscribe' })}`];
  });
  return lines.length === 0 ? '' : `--\n${lines.join('\n')}\n`;
}

/** The same in HTML; empty without any. */
function htmlFooter(frame: MessageFrame, style: MailStyle, writer: TemplateWriter): string {
  const css = `color:${style.light.foot};text-decoration:underline`;
  const lines = footerLines(frame).map((line) => {
    if ('text' in line) return writer.html(line.text);
    if ('links' in line) {
      return line.links
        .map((link) => anchor(link, writer.html(networkName(link)), writer, css))
        .join(' &nbsp;·&nbsp; ');
    }
    return `<a href="${writer.placeholder('html', { kind: 'unsubscribe' })}" ses:no-track style="${css}">${writer.html(texts.unsubscribe[frame.language])}</a>`;
  });
  return lines.join('<br>');
}

const footerText = ({ font }: MailStyle): string => `${font};font-size:13px;line-height:20px`;

/** The footer as a row below the blocks: it closes their cell and opens its own. */
export function footerRow(frame: MessageFrame, style: MailStyle, writer: TemplateWriter): string {
  const inside = htmlFooter(frame, style, writer);
  if (inside === '') return '';
  return `</td></tr><tr><td class="foot" align="${style.align}" style="padding:16px ${padding}px;${footerText(style)};color:${style.light.foot}">\n${inside}`;
}

/** The footer at the end of HTML that its author wrote, on a background of which nothing is known. */
export const footerBlock = (frame: MessageFrame, style: MailStyle, writer: TemplateWriter): string =>
  `<div style="padding:16px ${padding}px;${footerText(style)};color:#57606a">${htmlFooter(frame, { ...style, light: { ...style.light, foot: '#57606a' } }, writer)}</div>`;
