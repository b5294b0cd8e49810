import {
  backgrounds,
  contrastOf,
  leastContrast,
  logoTypeOf,
  readableOn,
} from '../../../../shared/domain/workspace/brand.ts';

describe('contrast', () => {
  // W3C, Understanding SC 1.4.3: black on white is 21:1, #767676 the lightest grey with 4.5:1 on white.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 1);
    expect(contrastOf(other, one)).toBe(contrastOf(one, other));
  });

  it('is always sufficient, and a sufficient colour is not changed', () => {
    for (const color of ['#000000', '#ffcc00', '#0b57b5', '#7f7f7f', '#ffffff', '#ff00ff']) {
      for (const ground of Object.values(backgrounds)) {
        const shown = readableOn(ground, color);
        expect(contrastOf(shown, ground)).toBeGreaterThanOrEqual(leastContrast);
        if (contrastOf(color, ground) >= leastContrast) expect(shown).toBe(color);
      }
    }
  });
});

describe('an image', () => {
  it.each([
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1')],
    ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')],
    [null, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    [null, Buffer.from('GIF89a')],
    [null, Buffer.alloc(0)],
  ])('is recognised as %s by its first bytes', (type, bytes) => {
    expect(logoTypeOf(bytes)).toBe(type);
  });
});
