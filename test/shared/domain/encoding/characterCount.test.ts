import fc from 'fast-check';
import { characterCount } from '../../../../shared/domain/encoding/characterCount.ts';

describe('characterCount', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀😀', 2],
    ['👨‍👩‍👧', 5],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['\ud83d\ud83d\ude00\ude00', 3],
  ])('%j has %d', (text, count) => {
    expect(characterCount(text)).toBe(count);
  });

  it('counts what iterating a string counts, whatever the string', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
        expect(characterCount(text)).toBe([...text].length);
      }),
    );
  });
});
