import fc from 'fast-check';
import { foldedHeader } from '../../../shared/email/composeMime.ts';

const name = fc.string({ unit: fc.constantFrom('X', '-', 'a'), minLength: 1, maxLength: 126 });
const value = fc.string({
  unit: fc.constantFrom(' ', 'a', '"', 'bcdefghijklmnopqrstuvwxyz'.repeat(4)),
  maxLength: 995,
});

describe('foldedHeader', () => {
  it('unfolds to the value, with no line that is too long or blank', () => {
    fc.assert(
      fc.property(name, value, (header, long) => {
        const text = long.slice(0, 995);
        const folded = `${header}: ${foldedHeader(header, text)}`;
        const [first = '', ...continued] = folded.split('\r\n');
        expect(
          folded
            .replaceAll('\r\n', '')
            .slice(header.length + 1)
            .trim(),
        ).toBe(text.trim());
        for (const line of [first, ...continued]) expect(line.length).toBeLessThanOrEqual(998);
        for (const line of continued) expect(line).toMatch(/^ .*\S/);
      }),
    );
  });

  it('keeps lines to 78 characters where the words allow it', () => {
    const lines = `X-Long: ${foldedHeader('X-Long', 'word '.repeat(150))}`.split('\r\n');
    expect(lines.length).toBeGreaterThan(9);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
  });

  it('leaves a short value as it is', () => {
    expect(foldedHeader('X-Order', ' 42 ')).toBe('42');
  });
});
