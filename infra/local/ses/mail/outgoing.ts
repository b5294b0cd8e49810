import { applyByteEdits, type ByteEdit } from '../mime/edits.ts';
import type { MimePart } from '../mime/parse.ts';

/** Fields that SES writes itself, and those that no recipient may see. */
const droppedHeaders = new Set(['bcc', 'date', 'message-id', 'return-path']);

/**
 * The bytes that each recipient gets: SES's own Date and Message-ID, no Bcc, nothing that was meant for SES alone.
 * https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
export function outgoingSource(
  message: Buffer,
  root: MimePart,
  stamp: { messageId: string; region: string; acceptedAt: number },
  changes: readonly ByteEdit[],
): Buffer {
  const drops = root.headers
    .filter(({ name }) => droppedHeaders.has(name.toLowerCase()) || /^x-ses-/i.test(name))
    .map(({ start, end }) => ({ start, end, bytes: Buffer.alloc(0) }));
  const date = new Date(stamp.acceptedAt).toUTCString().replace('GMT', '+0000');
  const host = stamp.region === 'us-east-1' ? 'email' : stamp.region;
  const own = Buffer.from(`Date: ${date}\r\nMessage-ID: <${stamp.messageId}@${host}.amazonses.com>\r\n`);
  const insertion = { start: root.headersEnd, end: root.headersEnd, bytes: own };
  return applyByteEdits(message, [...drops, ...changes, insertion]);
}
