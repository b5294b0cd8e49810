import { isUtf8 } from 'node:buffer';
import { randomBytes, randomUUID } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { domainOf } from '../domain/address.ts';
import { contentTypeOf, markUntracked } from '../domain/message/header.ts';
import type { Chunks } from '../platform/memory.ts';
import { largeMimeOf, type Mime, mimeOf } from './mime.ts';

export interface Message {
  readonly from: MessageAddress;
  readonly to: readonly MessageAddress[];
  readonly cc: readonly MessageAddress[];
  readonly replyTo: readonly MessageAddress[];
  readonly subject: string;
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly unsubscribeUrl: string | undefined;
  readonly attachments: readonly {
    readonly filename: string;
    /** Base64, or the bytes of an upload in chunks. */
    readonly content: string | Chunks;
    readonly content_type?: string | undefined;
    /** Named in the HTML as `cid:…`. */
    readonly content_id?: string | undefined;
  }[];
}

/**
 * Writes a message as MIME (RFC 2045 to 2049). Bcc recipients are in the envelope only. The headers for one-click
 * unsubscription are those of RFC 8058, and their link is never tracked.
 */
export async function composeMime(message: Message): Promise<Mime> {
  const head = Buffer.from(headersOf(message), 'latin1');
  const files = message.attachments.map((file) => ({ ...file, placeholder: randomBytes(24) }));
  const whole = Buffer.concat([
    head,
    await composerOf({ ...message, attachments: files })
      .compile()
      .build(),
  ]);
  const large = files.flatMap(({ content, placeholder }) =>
    typeof content === 'string' ? [] : { content, placeholder },
  );
  return large.length === 0 ? mimeOf(whole) : largeMimeOf(partsOf(whole, large));
}

/** The message with each placeholder replaced by its uploaded file. Nodemailer puts inline files first. */
function partsOf(whole: Buffer, files: readonly { readonly content: Chunks; readonly placeholder: Buffer }[]) {
  const placed = files.map(({ content, placeholder }) => {
    const text = placeholder.toString('base64');
    const from = whole.indexOf(text, 0, 'latin1');
    if (from < 0) throw new Error('The placeholder of a file is missing in its message.');
    return { content, from, to: from + text.length };
  });
  let start = 0;
  const parts = placed
    .sort((a, b) => a.from - b.from)
    .flatMap(({ content, from, to }) => {
      const before = whole.subarray(start, from);
      start = to;
      return [before, { file: content }];
    });
  return [...parts, whole.subarray(start)];
}

/** An uploaded file is composed as a placeholder, since nodemailer would copy it several times. */
type PlacedFile = Message['attachments'][number] & { readonly placeholder: Buffer };

function composerOf(message: Message & { readonly attachments: readonly PlacedFile[] }): MailComposer {
  const html =
    message.html && (message.unsubscribeUrl ? markUntracked(message.html, message.unsubscribeUrl) : message.html);
  return new MailComposer({
    messageId: `<${randomUUID()}@${domainOf(message.from.address)}>`,
    subject: subjectHeader(message.subject),
    ...(message.text ? { text: withoutCarriageReturns(message.text) } : {}),
    ...(html ? { html: withoutCarriageReturns(html) } : {}),
    attachments: message.attachments.map(fileOf),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
}

/** A header line has 998 bytes at most (RFC 5322 section 2.1.1), and a single word cannot be folded. */
const longestWord = /[^ ]{900}/;

/** Encodes what mail clients would decode and what does not fit a line. Nodemailer encodes the rest. */
function subjectHeader(subject: string): string {
  return subject.includes('=?') || longestWord.test(subject) ? encodedWords(subject) : subject;
}

/** CR may not occur alone (RFC 5322 section 2.3); nodemailer writes each LF as CRLF. */
const withoutCarriageReturns = (text: string): string => text.replace(/\r\n?/g, '\n');

function fileOf({ filename, content, content_type, content_id, placeholder }: PlacedFile) {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : null;
  return {
    filename,
    content: bytes ?? placeholder,
    contentType: fileType(content_type ?? contentTypeOf(filename), bytes ? [bytes] : (content as Chunks)),
    cid: content_id,
  };
}

/**
 * A `message/*` part may not be in base64 (RFC 2046 section 5.2), which all files are sent in. Text without a charset is
 * read as US-ASCII (section 4.1.2), so UTF-8 is named.
 */
function fileType(type: string, bytes: Chunks): string {
  if (/^message\//i.test(type)) return 'application/octet-stream';
  const lacksCharset = /^text\//i.test(type) && !/;\s*charset=/i.test(type);
  return lacksCharset && areUtf8(bytes) ? `${type}; charset=utf-8` : type;
}

/**
 * The headers that must arrive exactly as given, in ASCII. Nodemailer would quote encoded words in names, encode values
 * with quotation marks, and rewrite `X-SMTPAPI` and `References`.
 */
function headersOf({ from, to, cc, replyTo, headers, unsubscribeUrl }: Message): string {
  const addresses = [
    ['From', [from]],
    ['To', to],
    ['Cc', cc],
    ['Reply-To', replyTo],
  ] as const;
  const all = [
    ...addresses.flatMap(([name, list]) => (list.length > 0 ? [[name, addressHeader(list)] as const] : [])),
    ...Object.entries(headers).filter(([, value]) => value.trim() !== ''),
    ...(unsubscribeUrl ? unsubscribeHeaders(unsubscribeUrl) : []),
  ];
  return all.map(([name, value]) => `${name}: ${foldedHeader(name, value)}\r\n`).join('');
}

const unsubscribeHeaders = (url: string) =>
  [
    ['List-Unsubscribe', `<${url}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ] as const;

/** Whether bytes are UTF-8 (RFC 3629). Chunks may be cut in the middle of a character. */
export function areUtf8(chunks: Chunks): boolean {
  let incomplete: Uint8Array = new Uint8Array();
  for (const chunk of chunks) {
    const [lead] = incomplete;
    const start = lead === undefined ? 0 : Math.min(characterLength(lead) - incomplete.length, chunk.length);
    incomplete = Buffer.concat([incomplete, chunk.subarray(0, start)]);
    if (lead !== undefined && incomplete.length < characterLength(lead)) continue;
    const end = chunk.length - incompleteAtEnd(chunk.subarray(start));
    if (!isUtf8(incomplete) || !isUtf8(chunk.subarray(start, end))) return false;
    incomplete = chunk.subarray(end);
  }
  return incomplete.length === 0;
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** The number of bytes of an incomplete character at the end. */
function incompleteAtEnd(bytes: Uint8Array): number {
  const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;
  const last = bytes.subarray(-3);
  const lead = last.findLastIndex((byte) => !isContinuation(byte));
  const length = last.length - lead;
  return lead >= 0 && characterLength(last[lead] as number) > length ? length : 0;
}

export interface MessageAddress {
  readonly name: string | null;
  readonly address: string;
}

const plainName = /^\w+(?: \w+)*$/;
const printableAscii = /^[ -~]*$/;
const plainAddress = /^[\w.+-]+@[\w.-]+$/;

/** The value of an address header (RFC 5322 section 3.4), not folded. */
export function addressHeader(mailboxes: readonly MessageAddress[]): string {
  return mailboxes.map(writeMailbox).join(', ');
}

function writeMailbox({ name, address }: MessageAddress): string {
  if (name) return `${phrase(name)} <${address}>`;
  return plainAddress.test(address) ? address : `<${address}>`;
}

/**
 * Many mail clients decode `=?…?=` even inside quotation marks, where RFC 2047 (section 5) forbids it, and some take an
 * address in quotation marks for the mailbox. Names that have either are encoded as a whole, so that all show the given one.
 */
function phrase(name: string): string {
  if (!printableAscii.test(name) || /=\?|@/.test(name)) return encodedWords(name);
  return plainName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** 45 bytes are 60 characters of base64 and 72 with the delimiters; an encoded word has 75 at most. */
const bytesPerWord = 45;

/** A text as encoded words (RFC 2047) in UTF-8 and base64. No character is split; mail clients join the words again. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesPerWord) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

const preferredLength = 78;
const longestLine = 998;

/**
 * Folds the value of a header (RFC 5322 sections 2.1.1 and 2.2.3): lines of 78 characters where its words allow it, 998 at
 * most. Spaces at its ends are removed, and no line has spaces only: some readers take that for the end of the headers.
 */
export function foldedHeader(name: string, value: string): string {
  const [first = '', ...words] = value.trim().split(/ (?=[^ ])/);
  const isTooLong = `${name}: ${first}`.length > longestLine;
  const lines = [isTooLong ? '' : first];
  if (isTooLong) lines.push(first);
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    const start = lines.length === 1 ? `${name}: ` : ' ';
    if (`${start}${last} ${word}`.length > preferredLength) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\r\n ');
}
