import { bytesIn, type Chunks, inMultiplesOf } from '../platform/memory.ts';

/** A message in MIME, ready to be sent. */
export type Mime = WholeMime | LargeMime;

interface WholeMime {
  readonly isLarge: false;
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** A message with uploaded files, which are encoded while it is sent. It is never in memory as a whole. */
export interface LargeMime {
  readonly isLarge: true;
  /** Bytes. */
  readonly length: number;
  /** Can be iterated repeatedly. Pieces share one buffer: each is valid until the next one is requested. */
  pieces(): Iterable<Uint8Array>;
}

export const mimeOf = (bytes: Uint8Array): WholeMime => ({ isLarge: false, bytes, length: bytes.length });

/** Holds the files of `parts` unencoded, which is a quarter smaller. */
export const largeMimeOf = (parts: readonly (Uint8Array | File)[]): LargeMime => ({
  length: parts.reduce((sum, part) => sum + ('file' in part ? encodedLength(part.file) : part.length), 0),
  isLarge: true,
  *pieces() {
    for (const part of parts) {
      if ('file' in part) yield* encodedLines(part.file);
      else yield part;
    }
  },
});

/** Encoded as base64 in lines of 76 characters (RFC 2045 section 6.8). */
interface File {
  readonly file: Chunks;
}

const bytesPerLine = 57;
/** Pairs of characters, with the line break. */
const pairsPerLine = 39;
/** About 80 kB encoded. */
const linesPerPiece = 1024;

function encodedLength(file: Chunks): number {
  const bytes = bytesIn(file);
  return Math.ceil(bytes / 3) * 4 + 2 * Math.max(0, Math.ceil(bytes / bytesPerLine) - 1);
}

function* encodedLines(file: Chunks): Generator<Uint8Array> {
  const target = new Uint16Array(pairsPerLine * linesPerPiece);
  let at = 0;
  let isFirst = true;
  for (const bytes of inMultiplesOf(bytesPerLine, file)) {
    for (let start = 0; start < bytes.length; start += bytesPerLine) {
      if (at + pairsPerLine > target.length) {
        yield charactersOf(target, at);
        at = 0;
      }
      if (!isFirst) target[at++] = lineBreak;
      isFirst = false;
      at = writeBase64(bytes, start, Math.min(start + bytesPerLine, bytes.length), target, at);
    }
  }
  if (at > 0) yield charactersOf(target, at);
}

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = 0x3d;

/** Two characters as one number, in the byte order of the machine. */
const pairOf = (first: number, second: number): number => new Uint16Array(Uint8Array.of(first, second).buffer)[0] ?? 0;

/** The two base64 characters of each number of twelve bits. */
const pairs = Uint16Array.from({ length: 4096 }, (_, bits) =>
  pairOf(alphabet[bits >> 6] ?? 0, alphabet[bits & 63] ?? 0),
);

export const lineBreak = pairOf(0x0d, 0x0a);

/** A view of the first pairs of characters as bytes. */
export const charactersOf = (target: Uint16Array, pairsWritten: number): Uint8Array =>
  new Uint8Array(target.buffer, target.byteOffset, pairsWritten * 2);

/**
 * Writes bytes from `start` to `end` as base64 (RFC 4648 section 4) with padding into `target`, a buffer of pairs of
 * characters, from index `at`. Returns the next index. Node's own encoder creates strings, which for a message of 40 MB
 * take several times its size until they are collected.
 */
export function writeBase64(bytes: Uint8Array, start: number, end: number, target: Uint16Array, at: number): number {
  let place = at;
  let index = start;
  for (; index + 2 < end; index += 3) {
    const middle = bytes[index + 1] as number;
    target[place] = pairs[((bytes[index] as number) << 4) | (middle >> 4)] as number;
    target[place + 1] = pairs[((middle & 15) << 8) | (bytes[index + 2] as number)] as number;
    place += 2;
  }
  if (index === end) return place;
  const first = bytes[index] as number;
  const second = index + 1 < end ? (bytes[index + 1] as number) : null;
  target[place] = pairs[(first << 4) | ((second ?? 0) >> 4)] as number;
  target[place + 1] = pairOf(second === null ? padding : (alphabet[(second & 15) << 2] as number), padding);
  return place + 2;
}

/** About 100 kB. */
const pairsPerPiece = 49_152;

/** The same bytes as base64. Pieces share one buffer: each is valid until the next one is requested. */
export function* base64Pieces(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const target = new Uint16Array(pairsPerPiece);
  let at = 0;
  // Three bytes are two pairs, so that pieces are cut at multiples of three bytes.
  for (const bytes of inMultiplesOf(3, pieces)) {
    for (let start = 0; start < bytes.length; ) {
      const end = Math.min(bytes.length, start + ((target.length - at) / 2) * 3);
      at = writeBase64(bytes, start, end, target, at);
      start = end;
      if (at < target.length) continue;
      yield charactersOf(target, at);
      at = 0;
    }
  }
  if (at > 0) yield charactersOf(target, at);
}
