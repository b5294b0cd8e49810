import { type ParsedHeaderValue, parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import { badRequest } from '../errors.ts';

/** One header field. `start` and `end` are offsets in the message, the line break included. */
export interface Header {
  readonly name: string;
  /** Unfolded, not decoded. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the header section that lies between two offsets (CRLF line ends). Throws on a line that is no header. */
export function parseHeaders(message: Buffer, start: number, end: number): Header[] {
  const lines = splitFolded(message, start, end);
  return lines.map(([from, to]) => {
    const text = bytesToText(message.toString('latin1', from, to));
    const colon = text.indexOf(':');
    const name = text.slice(0, colon).trimEnd();
    if (colon < 1 || !/^[\x21-\x39\x3b-\x7e]+$/.test(name)) {
      throw badRequest(`Header line without a valid field name: ${JSON.stringify(text.slice(0, 60))}.`);
    }
    return {
      name,
      value: text
        .slice(colon + 1)
        .replace(/\r\n(?=[ \t])/g, '')
        .trim(),
      start: from,
      end: to,
    };
  });
}

export function headerValues(headers: readonly Header[], name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter((header) => header.name.toLowerCase() === wanted).map((header) => header.value);
}

export function headerValue(headers: readonly Header[], name: string): string | null {
  return headerValues(headers, name)[0] ?? null;
}

/** The type in lower case with its parameters; text/plain when the field is missing (RFC 2045, 5.2). */
export function contentType(headers: readonly Header[]): ParsedHeaderValue {
  const parsed = parseHeaderValue(headerValue(headers, 'Content-Type') ?? 'text/plain', { stripComments: true });
  return { value: parsed.value.trim().toLowerCase(), params: parsed.params };
}

/** Offsets of each field with the folded lines that belong to it. */
function splitFolded(message: Buffer, start: number, end: number): [number, number][] {
  const fields: [number, number][] = [];
  for (let at = start; at < end; ) {
    const lineEnd = message.indexOf('\r\n', at);
    const next = lineEnd < 0 || lineEnd + 2 > end ? end : lineEnd + 2;
    const last = fields.at(-1);
    const folded = message[at] === 0x20 || message[at] === 0x09;
    if (folded && last) last[1] = next;
    else fields.push([at, next]);
    at = next;
  }
  return fields;
}

/** Headers with bytes above 127 are read as UTF-8 (RFC 6532), which is what senders mean by them. */
function bytesToText(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
