import { createHash } from 'node:crypto';

/**
 * Canonical JSON of a parsed JSON value (RFC 8785): no spaces, keys sorted by UTF-16 code units, numbers and strings
 * as ECMAScript writes them. A stack of its own, since a hostile body may be nested deeper than calls can be.
 */
export function canonicalJson(value: unknown): string {
  const output: string[] = [];
  const pending: Piece[] = [{ value }];
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    if (typeof piece === 'string') output.push(piece);
    else if (!isContainer(piece.value)) output.push(JSON.stringify(piece.value) ?? 'null');
    // One by one: as arguments of a single call, a long array would not fit the call stack either.
    else for (const part of piecesOf(piece.value).reverse()) pending.push(part);
  }
  return output.join('');
}

/** SHA-256 in hexadecimal of a body's canonical JSON: two bodies that differ in key order only have the same. */
export function hashBody(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

/** Finished text, or a value still to be written. */
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
