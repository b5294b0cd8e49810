import { bytesIn, type Chunks, inMultiplesOf } from '../../platform/memory/chunks.ts';
import { charactersOf, lineBreak, writeBase64 } from './base64.ts';

/** A message as it is sent. */
export type Mime = WholeMime | LargeMime;

interface WholeMime {
  readonly isLarge: false;
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Never in one piece: its files are encoded as it goes out, each time anew. */
export interface LargeMime {
  readonly isLarge: true;
  /** Bytes. */
  readonly length: number;
  /** May be gone through again and again. A piece is good until the next is asked for: they share one buffer. */
  pieces(): Iterable<Uint8Array>;
}

export const mimeOf = (bytes: Uint8Array): WholeMime => ({ isLarge: false, bytes, length: bytes.length });

/** A message with files where `parts` have them, which it holds as they came: a quarter less than encoded. */
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

/** What becomes base64 in lines of 76 characters (RFC 2045 section 6.8). */
interface File {
  readonly file: Chunks;
}

const bytesOfLine = 57;
/** A line and its break. */
const pairsOfLine = 39;
/** Some 80 kB once encoded. */
const linesOfPiece = 1024;

function encodedLength(file: Chunks): number {
  const bytes = bytesIn(file);
  return Math.ceil(bytes / 3) * 4 + 2 * Math.max(0, Math.ceil(bytes / bytesOfLine) - 1);
}

function* encodedLines(file: Chunks): Generator<Uint8Array> {
  const target = new Uint16Array(pairsOfLine * linesOfPiece);
  let at = 0;
  let isFirst = true;
  for (const bytes of inMultiplesOf(bytesOfLine, file)) {
    for (let start = 0; start < bytes.length; start += bytesOfLine) {
      if (at + pairsOfLine > target.length) {
        yield charactersOf(target, at);
        at = 0;
      }
      if (!isFirst) target[at++] = lineBreak;
      isFirst = false;
      at = writeBase64(bytes, start, Math.min(start + bytesOfLine, bytes.length), target, at);
    }
  }
  if (at > 0) yield charactersOf(target, at);
}
