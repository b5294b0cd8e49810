import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { areUtf8 } from '../../../shared/email/mime/utf8.ts';

const runs = { seed: 20_261_122, numRuns: 3000 };
const cutInto = (bytes: Buffer, cuts: readonly number[]) => {
  const places = cuts.toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index]));
};
const anyCuts = fc.array(fc.nat(30), { maxLength: 6 });

describe('bytes in chunks are UTF-8', () => {
  it('when they are, whatever was cut in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), anyCuts, (text, cuts) => {
        expect(areUtf8(cutInto(Buffer.from(text), cuts))).toBe(true);
      }),
      runs,
    );
  });

  it('only when Node says so of all of them together', () => {
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
