import { buildHeaderValue } from 'nodemailer/lib/mime-funcs';
import { decodeText, headerValue } from '../mime/headers.ts';
import { type ByteEdit, type MimePart, setHeader, walk } from '../mime/mimeStructure.ts';
import { decodeTransfer, encodeBase64, encodeQuotedPrintable } from '../mime/transferEncoding.ts';
import { rewriteHtml, type TrackingTargets } from './trackedHtml.ts';

/** The edits of tracking: HTML bodies, and their encoding and charset where those cannot stay. */
export function trackMessage(message: Buffer, root: MimePart, targets: TrackingTargets): ByteEdit[] {
  return [...walk(root)].filter(isHtmlBody).flatMap((part) => trackPart(message, part, targets));
}

function isHtmlBody(part: MimePart): boolean {
  const disposition = headerValue(part.headers, 'Content-Disposition') ?? 'inline';
  return part.type.value === 'text/html' && !/^attachment\b/i.test(disposition);
}

/** A body that cannot be decoded reliably is delivered unchanged. */
function trackPart(message: Buffer, part: MimePart, targets: TrackingTargets): ByteEdit[] {
  const charset = (part.type.params.charset ?? 'us-ascii').toLowerCase();
  const bytes = decodeTransfer(message.subarray(part.bodyStart, part.bodyEnd), part.encoding);
  const html = bytes && decodeText(bytes, charset === 'us-ascii' ? 'utf-8' : charset);
  if (html === null) return [];
  const rewritten = rewriteHtml(html, targets);
  if (rewritten === html) return [];
  return [...charsetEdits(part, charset), ...bodyEdits(message, part, rewritten)];
}

/** The text is written in UTF-8, whatever its charset was. */
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
