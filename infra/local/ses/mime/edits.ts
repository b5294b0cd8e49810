import type { MimePart } from './parse.ts';

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
