import type { ParsedHeaderValue } from 'nodemailer/lib/mime-funcs';
import { badRequest } from '../errors.ts';
import { contentType, type Header, headerValue, parseHeaders } from './headers.ts';

/** A MIME entity by its offsets in the message: nothing is copied and nothing decoded. */
export interface MimePart {
  readonly headers: readonly Header[];
  readonly type: ParsedHeaderValue;
  /** Content-Transfer-Encoding in lower case, 7bit when the field is missing. */
  readonly encoding: string;
  /** Where another header field could be inserted. */
  readonly headersEnd: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly children: readonly MimePart[];
}

/** SES: 500 MIME parts a message. https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
const maximumParts = 500;
const maximumDepth = 100;

/** Reads the structure of a message with CRLF line ends. Throws BadRequestException for what is no proper MIME. */
export function parseMime(message: Buffer): MimePart {
  const count = { parts: 0 };
  return parsePart(message, 0, message.length, count, 0);
}

/** The part itself and all below it, in order. */
export function* walk(part: MimePart): Generator<MimePart> {
  yield part;
  for (const child of part.children) yield* walk(child);
}

function parsePart(message: Buffer, start: number, end: number, count: { parts: number }, depth: number): MimePart {
  count.parts += 1;
  if (count.parts > maximumParts) throw badRequest(`Message contains more than ${maximumParts} MIME parts.`);
  if (depth > maximumDepth) throw badRequest('MIME parts are nested too deeply.');
  const [headersEnd, bodyStart] = findBody(message, start, end, depth);
  const headers = parseHeaders(message, start, headersEnd);
  const type = contentType(headers);
  const encoding = (headerValue(headers, 'Content-Transfer-Encoding') ?? '7bit').trim().toLowerCase();
  const children = type.value.startsWith('multipart/')
    ? findChildren(message, type.params.boundary, bodyStart, end).map(([from, to]) =>
        parsePart(message, from, to, count, depth + 1),
      )
    : [];
  return { headers, type, encoding, headersEnd, bodyStart, bodyEnd: end, children };
}

/** End of the header section and start of the body, with the blank line between them. */
function findBody(message: Buffer, start: number, end: number, depth: number): [number, number] {
  if (depth > 0 && message.indexOf('\r\n', start) === start) return [start, start + 2];
  const blank = message.subarray(0, end).indexOf('\r\n\r\n', start);
  if (blank >= 0) return [blank + 2, blank + 4];
  // A part without a body ends with its headers; a message has to have the blank line.
  if (depth === 0) throw badRequest('Expected a blank line between the headers and the body of the message.');
  return [end, end];
}

function findChildren(message: Buffer, boundary: string | undefined, start: number, end: number): [number, number][] {
  if (!boundary) throw badRequest('Multipart without a boundary parameter.');
  const children: [number, number][] = [];
  let open: number | null = null;
  for (const delimiter of delimiters(message, boundary, start, end)) {
    if (open !== null) children.push([open, Math.max(open, delimiter.start)]);
    if (delimiter.last) return children.length > 0 ? children : missing('start');
    open = delimiter.end;
  }
  return missing(open === null ? 'start' : 'end');
}

function missing(which: 'start' | 'end'): never {
  throw badRequest(`Missing ${which} boundary.`);
}

/** Delimiter lines of RFC 2046, 5.1.1. The line break ahead of one belongs to it, not to the part before it. */
function* delimiters(message: Buffer, boundary: string, start: number, end: number) {
  const marker = Buffer.from(`--${boundary}`, 'latin1');
  const scope = message.subarray(0, end);
  for (let at = scope.indexOf(marker, start); at >= 0; at = scope.indexOf(marker, at + 1)) {
    const atLineStart = at === start || (message[at - 1] === 0x0a && message[at - 2] === 0x0d);
    if (!atLineStart) continue;
    const after = at + marker.length;
    const lineEnd = scope.indexOf('\r\n', after);
    const next = lineEnd < 0 ? end : lineEnd + 2;
    const rest = scope.toString('latin1', after, next).trimEnd();
    if (rest !== '' && rest !== '--') continue;
    yield { start: at === start ? at : at - 2, end: next, last: rest === '--' };
  }
}

/** Replaces the bytes from `start` to `end`; an insertion when both are the same. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** Applies edits that do not overlap; those at the same place keep their order. */
export function applyByteEdits(message: Buffer, edits: readonly ByteEdit[]): Buffer {
  const pieces: Buffer[] = [];
  let done = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(message.subarray(done, edit.start), edit.bytes);
    done = edit.end;
  }
  return Buffer.concat([...pieces, message.subarray(done)]);
}

/** Replaces a header field of a part, or adds it after the others. */
export function setHeader(part: MimePart, name: string, value: string): ByteEdit {
  const bytes = Buffer.from(`${name}: ${value}\r\n`, 'utf8');
  const known = part.headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return known
    ? { start: known.start, end: known.end, bytes }
    : { start: part.headersEnd, end: part.headersEnd, bytes };
}
