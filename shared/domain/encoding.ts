import { createHash } from 'node:crypto';

/**
 * The number of Unicode code points, as JSON Schema counts (Validation 2020-12 section 6.3.1): an emoji is one. Half a
 * surrogate pair counts as one.
 */
export function characterCount(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs++;
  }
  return text.length - pairs;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const outsideAlphabet = /[^A-Za-z0-9+/]/;

/**
 * True for padded base64 in the standard alphabet (RFC 4648 section 4), with or without MIME's CRLF line breaks.
 * Searches for the first wrong character: a pattern over the whole text overflows the stack on 40 MB.
 */
export function isBase64(text: string): boolean {
  const joined = withoutLineBreaks(text);
  if (joined.length % 4 !== 0) return false;
  return !outsideAlphabet.test(joined.slice(0, joined.length - paddingLength(joined)));
}

function withoutLineBreaks(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '') : text;
}

function paddingLength(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

/**
 * Canonical JSON of a parsed JSON value (RFC 8785): no spaces, keys sorted by UTF-16 code units, numbers and strings as
 * in ECMAScript. Not recursive, since a hostile body may be nested deeper than the call stack allows.
 */
export function canonicalJson(value: unknown): string {
  const output: string[] = [];
  const pending: Piece[] = [{ value }];
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    if (typeof piece === 'string') output.push(piece);
    else if (!isContainer(piece.value)) output.push(JSON.stringify(piece.value) ?? 'null');
    // One by one: a long array does not fit into the arguments of a single call.
    else for (const part of piecesOf(piece.value).reverse()) pending.push(part);
  }
  return output.join('');
}

/** SHA-256 in hexadecimal of a body's canonical JSON: the order of keys does not matter. */
export function hashBody(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

/** Finished text, or a value to be written. */
type Piece = string | { readonly value: unknown };

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function piecesOf(container: object): Piece[] {
  if (Array.isArray(container)) {
    return ['[', ...container.flatMap((value, index) => [separator(index), { value }]), ']'];
  }
  const members = Object.entries(container)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    '{',
    ...members.flatMap(([key, value], index) => [`${separator(index)}${JSON.stringify(key)}:`, { value }]),
    '}',
  ];
}

function separator(index: number): string {
  return index === 0 ? '' : ',';
}

/** The shard (0 to `count - 1`) of a text: stable and evenly distributed. */
export function shardOf(text: string, count: number): number {
  return createHash('sha256').update(text).digest().readUInt16BE(0) % count;
}
