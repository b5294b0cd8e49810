import { parseUnsubscribeUrl, unsubscribeUrlProblemTexts } from '../../../../shared/domain/message/unsubscribeUrl.ts';

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

  it('takes http where it is allowed, and no other scheme', () => {
    expect(read('http://127.0.0.1:8080/leave', true).ok).toBe(true);
    expect(read('ftp://example.org/leave', true).ok).toBe(false);
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(unsubscribeUrlProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});
