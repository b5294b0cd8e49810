import MailComposer from 'nodemailer/lib/mail-composer';
import { contentTypeOf } from '../domain/contentType.ts';
import { markUntracked } from '../domain/untrackedLinks.ts';

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
    subject: message.subject,
    headers: headersOf(message),
    ...(message.text ? { text: message.text } : {}),
    ...(html ? { html } : {}),
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.filename,
      content: Buffer.from(attachment.content, 'base64'),
      contentType: attachment.content_type ?? contentTypeOf(attachment.filename),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  return composer.compile().build();
}

const addressOf = (mailbox: MessageAddress) => ({ name: mailbox.name ?? '', address: mailbox.address });

/** A header's value is taken as it is: `prepared` keeps the composer from folding what the caller has written. */
function headersOf(message: Message): { key: string; value: string }[] {
  const own = Object.entries(message.headers).map(([key, value]) => ({ key, value }));
  if (!message.unsubscribeUrl) return own;
  return [
    ...own,
    { key: 'List-Unsubscribe', value: `<${message.unsubscribeUrl}>` },
    { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}
