import { DomUtils, parseDocument } from 'htmlparser2';
import type { Attachment } from 'mailparser';
import type { SesContext } from '../context.ts';
import {
  eventsOf,
  findEventTarget,
  findMessage,
  type MessageSummary,
  messageSource,
  type RecordedEvent,
} from '../mail/messages.ts';
import { parseMail } from './parseMail.ts';

export interface InboxMessage extends MessageSummary {
  readonly size: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** As it was sent. */
  readonly html: string | null;
  /** With embedded images in place of their `cid:` addresses. */
  readonly shownHtml: string | null;
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
  readonly events: readonly RecordedEvent[];
  readonly source: Buffer;
  /** Where its links lead, in their order, each once. */
  readonly links: readonly string[];
}

/** Reads a stored message as a mail reader does. Null when there is none. */
export async function readInboxMessage(context: SesContext, id: string): Promise<InboxMessage | null> {
  const message = findMessage(context.database, id);
  if (!message) return null;
  const source = messageSource(context.database, message.id);
  const parsed = await parseMail(source, { keepCidLinks: true, skipHtmlToText: true, skipTextToHtml: true });
  const html = parsed.html || null;
  return {
    ...message,
    size: source.length,
    headers: parsed.headerLines.map(({ line }) => splitLine(line)),
    html,
    shownHtml: html && embedImages(html, parsed.attachments),
    text: parsed.text ?? null,
    attachments: parsed.attachments,
    events: eventsOf(context.database, message.id, context.now()),
    source,
    links: linksOf(html, parsed.text ?? '', trackedLinks(context, id)),
  };
}

/** Where the links lead that stand in for others: their addresses end with their place in this list. */
function trackedLinks({ database, endpoint }: SesContext, id: string): (url: string) => string {
  const links = findEventTarget(database, id)?.links ?? [];
  return (url) => (url.startsWith(`${endpoint}/L0/`) ? (links[Number(url.split('/').at(-1))]?.url ?? url) : url);
}

function linksOf(html: string | null, text: string, targetOf: (url: string) => string): string[] {
  const anchors = html === null ? [] : DomUtils.getElementsByTagName('a', parseDocument(html));
  const inText = text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  const urls = [...anchors.map(({ attribs }) => attribs.href ?? ''), ...inText];
  return [...new Set(urls.map(targetOf))].filter((url) => url !== '');
}

function splitLine(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  return {
    name: line.slice(0, colon),
    value: line
      .slice(colon + 1)
      .replace(/\r?\n\s*/g, ' ')
      .trim(),
  };
}

function embedImages(html: string, attachments: readonly Attachment[]): string {
  return html.replace(/\bcid:([^"'\s>)]+)/gi, (reference, id: string) => {
    const image = attachments.find(
      ({ cid, contentType }) => cid === decode(id) && /^image\/[a-z0-9.+-]+$/i.test(contentType),
    );
    return image ? `data:${image.contentType};base64,${image.content.toString('base64')}` : reference;
  });
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
