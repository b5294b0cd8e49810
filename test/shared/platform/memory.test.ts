import fc from 'fast-check';
import { bytesIn, cut, inMultiplesOf, placeOf } from '../../../shared/platform/memory.ts';

const anyChunks = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 8 });
const runs = { seed: 20_261_122, numRuns: 2000 };

describe('bytes in chunks', () => {
  it('are as many as they are put together, and cut at the same places', () => {
    fc.assert(
      fc.property(anyChunks, fc.nat(100), fc.nat(100), (chunks, one, other) => {
        const whole = Buffer.concat(chunks);
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        expect(bytesIn(chunks)).toBe(whole.length);
        expect(Buffer.concat(cut(chunks, start, end))).toEqual(whole.subarray(start, end));
      }),
      runs,
    );
  });

  it('find the first position of a byte', () => {
    fc.assert(
      fc.property(anyChunks, fc.nat(255), (chunks, byte) => {
        const place = Buffer.concat(chunks).indexOf(byte);
        expect(placeOf(byte, chunks)).toBe(place < 0 ? null : place);
      }),
      runs,
    );
  });

  it('come in multiples of a size, from chunks that share one buffer too', () => {
    fc.assert(
      fc.property(anyChunks, fc.integer({ min: 1, max: 9 }), (chunks, size) => {
        const shared = Buffer.alloc(12);
        const sharing = function* () {
          for (const chunk of chunks) {
            shared.set(chunk);
            yield shared.subarray(0, chunk.length);
          }
        };
        const pieces = Array.from(inMultiplesOf(size, sharing()), (piece) => Buffer.from(piece));
        expect(Buffer.concat(pieces)).toEqual(Buffer.concat(chunks));
        expect(pieces.slice(0, -1).every(({ length }) => length > 0 && length % size === 0)).toBe(true);
      }),
      runs,
    );
  });
});
