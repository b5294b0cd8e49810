import { randomBytes, randomUUID } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { domainOf } from '../../domain/address/address.ts';
import { contentTypeOf } from '../../domain/message/contentType.ts';
import { markUntracked } from '../../domain/message/untrackedLinks.ts';
import type { Chunks } from '../../platform/memory/chunks.ts';
import { addressHeader, type MessageAddress } from './addressHeader.ts';
import { encodedWords } from './encodedWords.ts';
import { foldedHeader } from './foldedHeader.ts';
import { largeMimeOf, type Mime, mimeOf } from './mimeParts.ts';
import { areUtf8 } from './utf8.ts';

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
    /** In base64, or as bytes that came in chunks. */
    readonly content: string | Chunks;
    readonly content_type?: string | undefined;
    /** The HTML names the file by it, as `cid:…`. */
    readonly content_id?: string | undefined;
  }[];
}

/**
 * The message as MIME (RFC 2045 to 2049), ready for SES. Bcc is in no header: the envelope carries it. The one-click
 * headers are those of RFC 8058; their link is never tracked.
 */
export async function composeMime(message: Message): Promise<Mime> {
  const head = Buffer.from(headersOf(message), 'latin1');
  const files = message.attachments.map((file) => ({ ...file, mark: randomBytes(24) }));
  const whole = Buffer.concat([
    head,
    await composerOf({ ...message, attachments: files })
      .compile()
      .build(),
  ]);
  const large = files.flatMap(({ content, mark }) => (typeof content === 'string' ? [] : { content, mark }));
  return large.length === 0 ? mimeOf(whole) : largeMimeOf(partsOf(whole, large));
}

/** The message cut where the marks of its uploaded files stand, with the files in their places; inline ones come first. */
function partsOf(whole: Buffer, files: readonly { readonly content: Chunks; readonly mark: Buffer }[]) {
  const placed = files.map(({ content, mark }) => {
    const text = mark.toString('base64');
    const from = whole.indexOf(text, 0, 'latin1');
    if (from < 0) throw new Error('A file has no place in its message.');
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

/** A file, and what stands for it while the rest is composed, if it was uploaded: its composer would copy it over and over. */
type MarkedFile = Message['attachments'][number] & { readonly mark: Buffer };

function composerOf(message: Message & { readonly attachments: readonly MarkedFile[] }): MailComposer {
  const html =
    message.html && (message.unsubscribeUrl ? markUntracked(message.html, message.unsubscribeUrl) : message.html);
  return new MailComposer({
    messageId: `<${randomUUID()}@${domainOf(message.from.address)}>`,
    subject: subjectOf(message.subject),
    ...(message.text ? { text: withoutCarriageReturns(message.text) } : {}),
    ...(html ? { html: withoutCarriageReturns(html) } : {}),
    attachments: message.attachments.map(fileOf),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
}

/** A line of a header holds 998 bytes at most (RFC 5322 section 2.1.1), and a single word cannot be folded. */
const longestWord = /[^ ]{900}/;

/** What would be decoded by the reader, or does not fit a line, is encoded here; the rest the composer knows by itself. */
function subjectOf(subject: string): string {
  return subject.includes('=?') || longestWord.test(subject) ? encodedWords(subject) : subject;
}

/** A CR alone may stand in no message (RFC 5322 section 2.3); the composer writes each LF as CRLF. */
const withoutCarriageReturns = (text: string): string => text.replace(/\r\n?/g, '\n');

function fileOf({ filename, content, content_type, content_id, mark }: MarkedFile) {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : null;
  return {
    filename,
    content: bytes ?? mark,
    contentType: fileType(content_type ?? contentTypeOf(filename), bytes ? [bytes] : (content as Chunks)),
    cid: content_id,
  };
}

/**
 * A `message/*` part may not be in base64 (RFC 2046 section 5.2), and only base64 brings every file over unharmed. Text
 * without a charset is read as US-ASCII (section 4.1.2), so UTF-8 is named where it is UTF-8.
 */
function fileType(type: string, bytes: Chunks): string {
  if (/^message\//i.test(type)) return 'application/octet-stream';
  const lacksCharset = /^text\//i.test(type) && !/;\s*charset=/i.test(type);
  return lacksCharset && areUtf8(bytes) ? `${type}; charset=utf-8` : type;
}

/**
 * The headers that must come out as they are written here, in ASCII. The composer would quote an encoded word in a name,
 * encode a value with a quotation mark in it, and give `X-SMTPAPI` and `References` forms of their own.
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
