import { markUntracked } from '../../../../shared/domain/message/untrackedLinks.ts';

const url = 'https://example.org/leave?u=1&l=2';

describe('markUntracked', () => {
  it.each([
    ['<a href="https://example.org/leave?u=1&amp;l=2">x</a>'],
    ["<A class='b>c' HREF='https://example.org/leave?u=1&l=2'>x</A>"],
    ['<a href=https://example.org/leave?u=1&l=2>x</a>'],
  ])('marks %s', (html) => {
    expect(markUntracked(html, url)).toContain('<a ses:no-track ');
  });

  it.each(['<a href="https://example.org/shop">x</a>', '<abbr href="https://example.org/leave?u=1&l=2">', '<a>x</a>'])(
    'leaves %s',
    (html) => {
      expect(markUntracked(html, url)).toBe(html);
    },
  );

  it.each(['https://bücher.example/désabo?u=é', 'https://xn--bcher-kva.example/d%C3%A9sabo?u=%C3%A9'])(
    'marks a link to an IDN host that is written as %s',
    (href) => {
      const target = 'https://xn--bcher-kva.example/d%C3%A9sabo?u=%C3%A9';
      expect(markUntracked(`<a href="${href}">x</a>`, target)).toContain('<a ses:no-track ');
    },
  );

  // Read once for each `<a`, these would take minutes.
  it.each(['<a ', '<a "', '<a \'"', '<a href="x" '])('reads 400,000 characters of %j in one pass', (piece) => {
    const html = piece.repeat(400_000 / piece.length);
    expect(markUntracked(html, url)).toBe(html);
  });
});
