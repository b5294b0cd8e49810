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

/** Deeper than any field of a request. What lies deeper is not looked at, so that a hostile body costs little memory. */
const maxNamedDepth = 20;
const maxRepeatedNames = 1000;

/** An object or array that is open at some place of a text, with the name or index of its current member. */
interface OpenContainer {
  readonly names: Set<string>;
  at: string | number;
}

/**
 * Paths of the members whose name their object has given before, in a valid JSON text. `JSON.parse` takes the last of
 * them (RFC 8259 section 4: "the behavior of software that receives such an object is unpredictable").
 */
export function repeatedNames(text: string): (readonly (string | number)[])[] {
  const repeated: (readonly (string | number)[])[] = [];
  const open: OpenContainer[] = [];
  let depth = 0;
  let string = '';
  for (let index = 0; index < text.length && repeated.length < maxRepeatedNames; index += 1) {
    const container = depth === open.length ? open.at(-1) : undefined;
    switch (text[index]) {
      case '"': {
        const end = endOfString(text, index);
        if (container) string = text.slice(index, end + 1);
        index = end;
        break;
      }
      case ':':
        if (!container) break;
        container.at = JSON.parse(string) as string;
        if (container.names.has(container.at)) repeated.push(open.map(({ at }) => at));
        container.names.add(container.at);
        break;
      case ',':
        if (typeof container?.at === 'number') container.at += 1;
        break;
      case '{':
      case '[':
        depth += 1;
        if (depth <= maxNamedDepth) open.push({ names: new Set(), at: text[index] === '{' ? '' : 0 });
        break;
      case '}':
      case ']':
        if (container) open.pop();
        depth -= 1;
        break;
    }
  }
  return repeated;
}

/** The place of the quote that ends the string that begins at `start`: the next one after an even number of `\`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}
