import { DomUtils, parseDocument } from 'htmlparser2';
import type { Attachment, ParsedMail, SimpleParserOptions } from 'mailparser';
import type { SesContext } from '../../context.ts';
import {
  eventsOf,
  findEventTarget,
  findMessage,
  type MessageSummary,
  messageSource,
  type RecordedEvent,
  storeSearchText,
  unindexedMessages,
} from '../../mail/messages.ts';

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
  /** The targets of its links, in their order, each once. */
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

/** Undoes click tracking: the address of a tracked link ends with its position among the message's links. */
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

/** The parser is loaded when it is first needed: it would take a twelfth of the service's start. */
async function parseMail(source: Buffer, options: SimpleParserOptions): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  return simpleParser(source, options);
}

/** Reading a message takes about a millisecond. Older messages are found by their headers until a later search. */
const indexedAtOnce = 500;

/** Indexes the bodies that no search has read yet, so that sending does not pay for searches. */
export async function indexTexts({ database }: SesContext): Promise<void> {
  for (const id of unindexedMessages(database, indexedAtOnce)) {
    const mail = await parseMail(messageSource(database, id), { skipTextToHtml: true });
    const addresses = [mail.from, mail.to, mail.cc].flat().map((address) => address?.text ?? '');
    storeSearchText(database, id, [...addresses, mail.subject ?? '', mail.text ?? ''].join('\n'));
  }
}

/** From least to most significant, as in the API: a delivered message may still bounce or get a complaint. */
const ranks = [
  'Send',
  'DeliveryDelay',
  'Delivery',
  'Open',
  'Click',
  'Rendering Failure',
  'Reject',
  'Bounce',
  'Complaint',
];

/** The most significant event of a message; `Send` when there is no other. */
export function statusOf(events: readonly Pick<RecordedEvent, 'type'>[]): string {
  return ranks[Math.max(0, ...events.map(({ type }) => ranks.indexOf(type)))] ?? 'Send';
}

/** Without Thunderbird: the data lacks it for some features, which the library reports as an error. */
const clients = ['gmail.*', 'apple-mail.*', 'outlook.*', 'yahoo.*', 'samsung-email.*'] as const;

export interface MissingFeature {
  readonly feature: string;
  /** Mail clients without it. */
  readonly clients: readonly string[];
}

/** What some mail clients do not show, by the data of caniemail.com, which are loaded when they are first needed. */
export async function missingFeatures(html: string): Promise<MissingFeature[]> {
  const { caniemail } = await import('caniemail');
  const lacking = new Map<string, string[]>();
  const { issues } = caniemail({ clients: [...clients], html });
  for (const [client, errors] of issues.errors) {
    for (const { title } of errors) lacking.set(title, [...(lacking.get(title) ?? []), client]);
  }
  return [...lacking].map(([feature, names]) => ({ feature, clients: [...new Set(names)] }));
}
