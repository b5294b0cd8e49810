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
  const lowerName = name.toLowerCase();
  return headers.filter((header) => header.name.toLowerCase() === lowerName).map((header) => header.value);
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

const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;

/** Decodes RFC 2047 encoded words in an unfolded header value; one in an unknown charset stays as it is. */
export function decodeEncodedWords(value: string): string {
  const joined = value.replace(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi, '$1');
  return joined.replace(encodedWord, (word, charset: string, encoding: string, text: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text);
    return decodeText(bytes, charset.split('*')[0] ?? 'utf-8') ?? word;
  });
}

/** Null when the charset is unknown or the bytes are not of it. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeQ(text: string): Buffer {
  const spaced = text.replaceAll('_', ' ');
  const bytes = spaced.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
