import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in the chunks in which they arrived. Joining a large body would need its memory twice. */
export type Chunks = readonly Uint8Array[];

export const bytesIn = (chunks: Chunks): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** The bytes from `start` to `end`, without copying. */
export function cut(chunks: Chunks, start: number, end: number): Chunks {
  let before = 0;
  return chunks.flatMap((chunk) => {
    const part = chunk.subarray(Math.max(0, start - before), Math.max(0, end - before));
    before += chunk.length;
    return part.length > 0 ? [part] : [];
  });
}

/** The position of the first occurrence of a byte; null if there is none. */
export function placeOf(byte: number, chunks: Chunks): number | null {
  let before = 0;
  for (const chunk of chunks) {
    const place = chunk.indexOf(byte);
    if (place >= 0) return before + place;
    before += chunk.length;
  }
  return null;
}

/**
 * The same bytes in pieces whose length is a multiple of `size`, except the last one. Each piece is valid until the
 * next one is requested.
 */
export function* inMultiplesOf(size: number, pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const held = new Uint8Array(size);
  let heldLength = 0;
  for (const piece of pieces) {
    const start = heldLength === 0 ? 0 : Math.min(size - heldLength, piece.length);
    held.set(piece.subarray(0, start), heldLength);
    heldLength += start;
    if (heldLength === size) {
      yield held;
      heldLength = 0;
    }
    const end = piece.length - ((piece.length - start) % size);
    if (start < end) yield piece.subarray(start, end);
    held.set(piece.subarray(end), heldLength);
    heldLength += piece.length - end;
  }
  if (heldLength > 0) yield held.subarray(0, heldLength);
}

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

let collect: Collect | null = null;

/**
 * Collects garbage now: the young generation (a millisecond) or all (some ten). V8 frees unused buffers only after tens
 * of megabytes of new ones, which is as much as the largest file. The flag may be set at run time.
 */
export function collectGarbage(type: 'minor' | 'major'): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect({ type });
}
