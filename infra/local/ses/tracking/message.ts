import { buildHeaderValue } from 'nodemailer/lib/mime-funcs';
import { type ByteEdit, setHeader } from '../mime/edits.ts';
import { decodeText } from '../mime/encodedWords.ts';
import { headerValue } from '../mime/headers.ts';
import { type MimePart, walk } from '../mime/parse.ts';
import { decodeTransfer, encodeBase64, encodeQuotedPrintable } from '../mime/transferEncoding.ts';
import { rewriteHtml, type TrackingTargets } from './html.ts';

/** What tracking changes in a message: its HTML bodies, and their encoding and charset where they could not be kept. */
export function trackMessage(message: Buffer, root: MimePart, targets: TrackingTargets): ByteEdit[] {
  return [...walk(root)].filter(isHtmlBody).flatMap((part) => trackPart(message, part, targets));
}

function isHtmlBody(part: MimePart): boolean {
  const disposition = headerValue(part.headers, 'Content-Disposition') ?? 'inline';
  return part.type.value === 'text/html' && !/^attachment\b/i.test(disposition);
}

/** A body that cannot be decoded for certain is delivered as it came. */
function trackPart(message: Buffer, part: MimePart, targets: TrackingTargets): ByteEdit[] {
  const charset = (part.type.params.charset ?? 'us-ascii').toLowerCase();
  const bytes = decodeTransfer(message.subarray(part.bodyStart, part.bodyEnd), part.encoding);
  const html = bytes && decodeText(bytes, charset === 'us-ascii' ? 'utf-8' : charset);
  if (html === null) return [];
  const rewritten = rewriteHtml(html, targets);
  if (rewritten === html) return [];
  return [...charsetEdits(part, charset), ...bodyEdits(message, part, rewritten)];
}

/** What was added is ASCII, but the text is written anew: in UTF-8, whatever it was. */
function charsetEdits(part: MimePart, charset: string): ByteEdit[] {
  if (charset === 'utf-8' || charset === 'us-ascii') return [];
  const params = { ...part.type.params, charset: 'utf-8' };
  return [setHeader(part, 'Content-Type', buildHeaderValue({ value: part.type.value, params }))];
}

function bodyEdits(message: Buffer, part: MimePart, html: string): ByteEdit[] {
  const { bodyStart: start, bodyEnd: end, encoding } = part;
  if (encoding === 'base64') {
    const lineEnd = end === message.length ? '\r\n' : '';
    return [{ start, end, bytes: Buffer.concat([encodeBase64(html), Buffer.from(lineEnd)]) }];
  }
  const body = { start, end, bytes: encodeQuotedPrintable(html) };
  const named = encoding === 'quoted-printable';
  return named ? [body] : [setHeader(part, 'Content-Transfer-Encoding', 'quoted-printable'), body];
}
