import {
  customHeaderProblem,
  customHeaderProblemTexts,
  markUntracked,
  parseUnsubscribeUrl,
  unsubscribeUrlProblemTexts,
} from '../../../../shared/domain/message/header.ts';

describe('customHeaderProblem', () => {
  it.each([
    ['X-Order', '42'],
    ['In-Reply-To', '<a@b.com>'],
    ['References', ''],
    ['List-Id', 'News <news.example.com>'],
    ["!#$%&'*+.^_`|~9", 'x'],
    ['x'.repeat(126), 'v'.repeat(995)],
    ['__proto__', 'x'],
    ['Contents', 'x'],
  ])('accepts %s', (name, value) => {
    expect(customHeaderProblem(name, value)).toBeNull();
  });

  const owned = [
    ...['From', 'To', 'Cc', 'Bcc', 'Subject', 'Reply-To', 'Date', 'Message-ID', 'Return-Path', 'Sender'],
    ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-X', 'DKIM-Signature'],
    ...['X-SES-CONFIGURATION-SET', 'X-SES-MESSAGE-TAGS', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ];
  it.each(owned.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))('refuses %s by its name', (name) => {
    expect(customHeaderProblem(name, 'x')).toBe('name_owned');
  });

  it.each(['', 'X Order', 'X-Order:', 'From ', ' From', 'X-Ordér', 'X\r\nBcc', 'X\0', 'X-\u212aey', 'X\t'])(
    'refuses the name %j',
    (name) => {
      expect(customHeaderProblem(name, 'x')).toBe('name_invalid');
    },
  );

  it.each(['a\r\nBcc: x@y.com', 'a\n', 'a\r', 'a\0', 'é', 'a\tb', '\x7f', 'a\u2028b'])(
    'refuses the value %j',
    (value) => {
      expect(customHeaderProblem('X-Order', value)).toBe('value_invalid');
    },
  );

  it('refuses names and values above the limits of SES', () => {
    expect(customHeaderProblem('x'.repeat(127), 'x')).toBe('name_too_long');
    expect(customHeaderProblem('X-Order', 'v'.repeat(996))).toBe('value_too_long');
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(customHeaderProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});

const read = (url: string, allowHttp = false) => parseUnsubscribeUrl(url, { allowHttp });

describe('parseUnsubscribeUrl', () => {
  it.each(['https://example.org/leave?u=1&l=2', 'HTTPS://Example.ORG/%7Eada#top', 'https://example.org'])(
    'leaves %s as it was written',
    (url) => {
      expect(read(url)).toEqual({ ok: true, url });
    },
  );

  it.each([
    ['https://bücher.example/leave', 'https://xn--bcher-kva.example/leave'],
    ['https://例え.テスト/u?q=é', 'https://xn--r8jz45g.xn--zckzah/u?q=%C3%A9'],
    ['https://example.org/désabonner', 'https://example.org/d%C3%A9sabonner'],
    ['https://ｅｘａｍｐｌｅ.org/', 'https://example.org/'],
  ])('writes %s in ASCII', (text, url) => {
    expect(read(text)).toEqual({ ok: true, url });
  });

  it.each([
    ['http://example.org/leave', 'not_https'],
    ['mailto:leave@example.org', 'invalid'],
    ['https:example.org', 'invalid'],
    ['//example.org', 'invalid'],
    ['https://', 'invalid'],
    ['https://exa^mple.org/', 'invalid'],
    ['https://.org/', 'invalid'],
    ['https://example..org/', 'invalid'],
    ['https://a\u00adb\u2028.example/', 'forbidden_character'],
    ['https://example.org/a b', 'forbidden_character'],
    ['https://example.org/a\r\nBcc:x', 'forbidden_character'],
    ['https://example.org/<a>', 'forbidden_character'],
    ['https://example.org\\leave', 'forbidden_character'],
    [`https://example.org/${'é'.repeat(200)}`, 'too_long'],
  ])('refuses %j as %s', (text, problem) => {
    expect(read(text)).toEqual({ ok: false, problem });
  });

  it('accepts http where it is allowed, and no other scheme', () => {
    expect(read('http://127.0.0.1:8080/leave', true).ok).toBe(true);
    expect(read('ftp://example.org/leave', true).ok).toBe(false);
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(unsubscribeUrlProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});

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

  // A quadratic reader would take minutes for each of these.
  it.each(['<a ', '<a "', '<a \'"', '<a href="x" '])('reads 400,000 characters of %j in one pass', (piece) => {
    const html = piece.repeat(400_000 / piece.length);
    expect(markUntracked(html, url)).toBe(html);
  });
});
