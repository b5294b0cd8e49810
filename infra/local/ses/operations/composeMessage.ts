import MailComposer from 'nodemailer/lib/mail-composer';
import type { NameValue } from './requestLimits.ts';

export interface SimpleAttachment {
  readonly content: Buffer;
  readonly fileName: string;
  readonly contentType?: string | undefined;
  readonly contentId?: string | undefined;
  readonly description?: string | undefined;
  readonly disposition?: 'attachment' | 'inline' | undefined;
  readonly transferEncoding?: 'base64' | 'quoted-printable' | '7bit' | undefined;
}

export interface SimpleMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly headers: readonly NameValue[];
  readonly attachments: readonly SimpleAttachment[];
}

/** The MIME message of a Simple or Template call. Nothing is read from files or URLs. */
export function composeSimple(message: SimpleMessage): Promise<Buffer> {
  const composer = new MailComposer({
    from: message.from,
    to: [...message.to],
    cc: [...message.cc],
    replyTo: [...message.replyTo],
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: message.headers.map(({ Name, Value }) => ({ key: Name, value: Value })),
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.fileName,
      content: attachment.content,
      contentType: attachment.contentType,
      cid: attachment.contentId,
      contentDisposition: attachment.disposition,
      contentTransferEncoding: attachment.transferEncoding,
      headers: attachment.description ? { 'Content-Description': attachment.description } : {},
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return composer.compile().build();
}
