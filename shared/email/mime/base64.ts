import { inMultiplesOf } from '../../platform/memory/chunks.ts';

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = 0x3d;

/** Two characters, as they lie in memory: read and written as one number, whatever order a machine has its bytes in. */
const pairOf = (first: number, second: number): number => new Uint16Array(Uint8Array.of(first, second).buffer)[0] ?? 0;

/** The two characters of every twelve bits. */
const pairs = Uint16Array.from({ length: 4096 }, (_, bits) =>
  pairOf(alphabet[bits >> 6] ?? 0, alphabet[bits & 63] ?? 0),
);

export const lineBreak = pairOf(0x0d, 0x0a);

/** Bytes of base64, from pairs of characters. */
export const charactersOf = (target: Uint16Array, pairsWritten: number): Uint8Array =>
  new Uint8Array(target.buffer, target.byteOffset, pairsWritten * 2);

/**
 * Writes bytes from `start` to `end` as base64 (RFC 4648 section 4), padded where they are no multiple of three, into a
 * buffer of pairs of characters, from its place `at`; answers the place behind. Buffer's own encoder makes a string, and
 * what a message of 40 MB leaves of strings is several times itself before it is swept up.
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

/** Pairs of characters that are encoded at once: some 100 kB. */
const pairsOfPiece = 49_152;

/** The same bytes as base64. A piece is good until the next is asked for: they share one buffer. */
export function* base64Pieces(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const target = new Uint16Array(pairsOfPiece);
  let at = 0;
  // Three bytes are two pairs: what is left over of a piece begins the next.
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
