import { readImageSource, readLinkTarget } from '../../../../../shared/domain/campaign/content/link.ts';

describe('where a link of a campaign leads', () => {
  it.each([
    ['https://Example.com', 'https://example.com/'],
    [' http://example.com/a?b=1&c=2#d ', 'http://example.com/a?b=1&c=2#d'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['tel:+33123456789', 'tel:+33123456789'],
    ['https://example.com/{id}?q="x"', 'https://example.com/%7Bid%7D?q=%22x%22'],
    ["https://example.com/it's", 'https://example.com/it%27s'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ])('%s', (text, href) => {
    expect(readLinkTarget(text)).toEqual({ ok: true, href });
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com/',
    '//example.com/',
    'example.com',
    'https://',
    'https://intranet/',
    'https://example.com/a b',
    'https://example.com/{{email}}',
    '{{fields.url}}',
    '',
  ])('refuses %j', (text) => {
    expect(readLinkTarget(text)).toEqual({ ok: false, problem: { en: expect.any(String), fr: expect.any(String) } });
  });

  it('holds nothing that means something to HTML or to the provider’s substitution', () => {
    const result = readLinkTarget('https://example.com/\\{x}<y>`"\'?a={b}#{c}');
    expect(result.ok && /[{}\\<>"'`]/.test(result.href)).toBe(false);
    expect(result.ok).toBe(true);
  });

  it('fetches an image from the web alone', () => {
    expect(readImageSource('https://example.com/i.png').ok).toBe(true);
    for (const text of ['mailto:a@example.com', 'tel:1', 'data:image/png;base64,AA']) {
      expect(readImageSource(text).ok).toBe(false);
    }
  });
});
