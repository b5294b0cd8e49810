/** Bytes in the pieces in which they came. What is large stays so: put together it would be there twice. */
export type Chunks = readonly Uint8Array[];

export const bytesIn = (chunks: Chunks): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** The bytes from `start` to `end`, which stay where they are. */
export function cut(chunks: Chunks, start: number, end: number): Chunks {
  let before = 0;
  return chunks.flatMap((chunk) => {
    const part = chunk.subarray(Math.max(0, start - before), Math.max(0, end - before));
    before += chunk.length;
    return part.length > 0 ? [part] : [];
  });
}

/** Where a byte stands first; null when it does not. */
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
 * The same bytes in pieces that hold a multiple of `size`, all but the last. A piece is good until the next is asked for,
 * whether it was so when it came or not.
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
