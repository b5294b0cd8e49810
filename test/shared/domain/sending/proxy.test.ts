import { isProxiedOpen } from '../../../../shared/domain/sending/proxy.ts';

describe('isProxiedOpen', () => {
  it.each([
    ['Apple Mail Privacy Protection', 'Mozilla/5.0'],
    ['Gmail', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['Yahoo, its cache', 'Mozilla/5.0 (compatible; YahooCacheSystem)'],
    ['another that names itself', 'ExampleImageProxy/1.0'],
  ])('is true for %s', (_, userAgent) => {
    expect(isProxiedOpen(userAgent)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['Apple Mail itself', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0'],
    ['Outlook', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)'],
    ['a proxy of another kind', 'Mozilla/5.0 (X11) SomeProxy/1.0'],
  ])('is false for %s', (_, userAgent) => {
    expect(isProxiedOpen(userAgent)).toBe(false);
  });
});
