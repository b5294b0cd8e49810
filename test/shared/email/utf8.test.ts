import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { areUtf8 } from '../../../shared/email/composeMime.ts';

const runs = { seed: 20_261_122, numRuns: 3000 };
const cutInto = (bytes: Buffer, cuts: readonly number[]) => {
  const places = cuts.toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index]));
};
const anyCuts = fc.array(fc.nat(30), { maxLength: 6 });

describe('areUtf8', () => {
  it('is true for UTF-8 cut anywhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), anyCuts, (text, cuts) => {
        expect(areUtf8(cutInto(Buffer.from(text), cuts))).toBe(true);
      }),
      runs,
    );
  });

  it('agrees with Node on the bytes as a whole', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2 }).map((text) => Buffer.from(text)),
      fc
        .constantFrom('80', 'c2', 'c0af', 'e282', 'eda080', 'f09f98', 'f4908080', 'f8', 'ff')
        .map((hex) => Buffer.from(hex, 'hex')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), anyCuts, (parts, cuts) => {
        const bytes = Buffer.concat(parts);
        expect(areUtf8(cutInto(bytes, cuts))).toBe(isUtf8(bytes));
      }),
      runs,
    );
  });
});
