import MailComposer from 'nodemailer/lib/mail-composer';
import { contentTypeOf } from '../domain/message/contentType.ts';
import { markUntracked } from '../domain/message/untrackedLinks.ts';
import { encodedWords } from './encodedWords.ts';
import { foldedHeader } from './foldedHeader.ts';

export interface MessageAddress {
  readonly name: string | null;
  readonly address: string;
}

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
    readonly content: string;
    readonly content_type?: string | undefined;
  }[];
}

/**
 * The message as MIME (RFC 2045 to 2049), ready for SES. Bcc is in no header: the envelope carries it. The one-click
 * headers are those of RFC 8058; their link is never tracked.
 */
export async function composeMime(message: Message): Promise<Buffer> {
  const html =
    message.html && (message.unsubscribeUrl ? markUntracked(message.html, message.unsubscribeUrl) : message.html);
  const composer = new MailComposer({
    from: addressOf(message.from),
    to: message.to.map(addressOf),
    cc: message.cc.map(addressOf),
    replyTo: message.replyTo.map(addressOf),
    subject: subjectOf(message.subject),
    headers: headersOf(message),
    ...(message.text ? { text: withoutCarriageReturns(message.text) } : {}),
    ...(html ? { html: withoutCarriageReturns(html) } : {}),
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.filename,
      content: Buffer.from(attachment.content, 'base64'),
      contentType: fileTypeOf(attachment),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  return composer.compile().build();
}

const addressOf = (mailbox: MessageAddress) => ({ name: mailbox.name ?? '', address: mailbox.address });

/** A line of a header holds 998 bytes at most (RFC 5322 section 2.1.1), and a single word cannot be folded. */
const longestWord = /[^ ]{900}/;

/** What would be decoded by the reader, or does not fit a line, is encoded here; the rest the composer knows by itself. */
function subjectOf(subject: string): string {
  return subject.includes('=?') || longestWord.test(subject) ? encodedWords(subject) : subject;
}

/** A CR alone may stand in no message (RFC 5322 section 2.3); the composer writes each LF as CRLF. */
const withoutCarriageReturns = (text: string): string => text.replace(/\r\n?/g, '\n');

/** A `message/*` part may not be in base64 (RFC 2046 section 5.2), and only base64 brings every file over unharmed. */
function fileTypeOf(attachment: Message['attachments'][number]): string {
  const type = attachment.content_type ?? contentTypeOf(attachment.filename);
  return /^message\//i.test(type) ? 'application/octet-stream' : type;
}

/** The composer would encode a value with a quotation mark in it, which programs that read headers do not decode. */
const headerOf = (key: string, value: string) => ({
  key,
  // It knows `References` as a list of ids, and takes no other form of it.
  value: key.toLowerCase() === 'references' ? value : { prepared: true, value: foldedHeader(key, value) },
});

function headersOf(message: Message) {
  const own = Object.entries(message.headers).map(([key, value]) => headerOf(key, value));
  if (!message.unsubscribeUrl) return own;
  return [
    ...own,
    headerOf('List-Unsubscribe', `<${message.unsubscribeUrl}>`),
    headerOf('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'),
  ];
}
