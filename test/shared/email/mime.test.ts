import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { base64Pieces, charactersOf, lineBreak, writeBase64 } from '../../../shared/email/mime.ts';

const encoded = (chunks: Iterable<Uint8Array>): string =>
  Array.from(base64Pieces(chunks), (piece) => Buffer.from(piece).toString('latin1')).join('');

describe('base64', () => {
  it('equals that of Buffer at every length', () => {
    for (let length = 0; length <= 300; length += 1) {
      const bytes = randomBytes(length);
      expect(encoded([bytes])).toBe(bytes.toString('base64'));
    }
  });

  it('equals that of Buffer for every three bytes', () => {
    const edges = [0, 1, 3, 4, 15, 16, 63, 64, 127, 128, 191, 192, 240, 254, 255];
    const all = Buffer.from(edges.flatMap((a) => edges.flatMap((b) => edges.flatMap((c) => [a, b, c]))));
    expect(encoded([all])).toBe(all.toString('base64'));
  });

  it('is the same wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }), (chunks) => {
        expect(encoded(chunks)).toBe(Buffer.concat(chunks).toString('base64'));
      }),
      { seed: 20_261_122, numRuns: 2000 },
    );
  });

  it('is the same for more bytes than its reused buffer holds', () => {
    for (const length of [73_727, 73_728, 73_729, 500_000]) {
      const bytes = randomBytes(length);
      for (const cuts of [[], [1], [73_728], [100, 73_829, 73_830, 200_000]]) {
        const chunks = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
        expect(encoded(chunks) === bytes.toString('base64')).toBe(true);
      }
    }
    const buffers = new Set(Array.from(base64Pieces([randomBytes(500_000)]), ({ buffer }) => buffer));
    expect(buffers.size).toBe(1);
  });

  it('is written at the given index, and nowhere else', () => {
    const target = new Uint16Array(8).fill(lineBreak);
    expect(writeBase64(Buffer.from('-Hello-'), 1, 6, target, 2)).toBe(6);
    expect(Buffer.from(charactersOf(target, 8)).toString()).toBe('\r\n\r\nSGVsbG8=\r\n\r\n');
  });
});
