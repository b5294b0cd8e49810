import { checkWebhookUrl, webhookUrlProblemTexts } from '../../../../shared/domain/webhook/webhookUrl.ts';

const deployed = { allowLoopback: false };
const local = { allowLoopback: true };

describe('checkWebhookUrl', () => {
  it.each([
    ...['https://example.com/hook', 'https://example.com:8443/hook?a=b', 'https://EXAMPLE.com', 'https://例え.jp/'],
    ...[
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
      'https://example.com./',
      'https://localhost.example.com',
    ],
    ...['https://hooks.example.local.com/', 'https://my_hooks.example.com/', 'https://xn--r8jz45g.jp/'],
    `https://example.com/${'😀'.repeat(1000)}`,
  ])('accepts %s everywhere', (url) => {
    expect(checkWebhookUrl(url, deployed)).toBeNull();
    expect(checkWebhookUrl(url, local)).toBeNull();
  });

  const loopback = [
    ...['http://localhost:3000/hook', 'http://127.0.0.1:3000', 'http://[::1]:3000/', 'http://app.localhost/'],
    ...['http://localhost.:3000/', 'https://127.0.0.1/', 'http://127.9.9.9/', 'http://2130706433:3000/'],
  ];
  it.each(loopback)('accepts %s on the local runtime only', (url) => {
    expect(checkWebhookUrl(url, local)).toBeNull();
    expect(checkWebhookUrl(url, deployed)).toMatch(/url_(not_https|host_not_public)/);
  });

  it.each([
    ['', 'url_invalid'],
    ['example.com/hook', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['https://exa mple.com', 'url_invalid'],
    ['https://example.com/\n', 'url_invalid'],
    ['\thttps://example.com/', 'url_invalid'],
    ['https:\\\\example.com', 'url_invalid'],
    ['https://1.2.3.4.5', 'url_invalid'],
    ['https://256.1.1.1', 'url_invalid'],
    [`https://example.com/${'a'.repeat(2048)}`, 'url_too_long'],
    ['http://example.com/', 'url_not_https'],
    ['http://8.8.8.8/', 'url_not_https'],
    ['ftp://example.com/', 'url_not_https'],
    ['file:///etc/passwd', 'url_not_https'],
    ['javascript:alert(1)', 'url_not_https'],
    ['https://user@example.com/', 'url_credentials'],
    ['https://:secret@example.com/', 'url_credentials'],
    ['https://example.com@8.8.8.8/', 'url_credentials'],
    ['https://example.com/#a', 'url_fragment'],
    ['https://example.com/#', 'url_fragment'],
    ['https://.com', 'url_host_invalid'],
    ['https://.com/hook', 'url_host_invalid'],
    ['https://./', 'url_host_invalid'],
    ['https://../', 'url_host_invalid'],
    ['https://hooks..example.com/', 'url_host_invalid'],
    ['https://hooks.example.com../', 'url_host_invalid'],
    ['https://-hooks.example.com/', 'url_host_invalid'],
    ['https://ho(o)ks.example.com/', 'url_host_invalid'],
    ["https://hooks.example.com'/", 'url_host_invalid'],
    [`https://${'a'.repeat(64)}.example.com/`, 'url_host_invalid'],
    [`https://${'a.'.repeat(126)}example.com/`, 'url_host_invalid'],
  ])('refuses %j as %s everywhere', (url, problem) => {
    expect(checkWebhookUrl(url, deployed)).toBe(problem);
    expect(checkWebhookUrl(url, local)).toBe(problem);
  });

  it.each([
    ...[
      'https://10.0.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest',
      'https://0.0.0.0/',
      'https://0/',
    ],
    ...['https://[::]/', 'https://[fe80::1]/', 'https://[fd00:ec2::254]/', 'https://[::ffff:127.0.0.1]/'],
    ...['https://[::ffff:7f00:1]/', 'https://[::7f00:1]/', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/'],
    ...[
      'https://intranet/',
      'https://printer.local/',
      'https://db.internal./',
      'https://nas.home.arpa',
      'https://x.lan',
    ],
    ...['https://0xa9fea9fe/', 'https://2852039166/', 'https://0251.0376.0251.0376/', 'https://１６９.254.169.254/'],
  ])('refuses %s everywhere: its host is not public', (url) => {
    expect(checkWebhookUrl(url, deployed)).toBe('url_host_not_public');
    expect(checkWebhookUrl(url, local)).toBe('url_host_not_public');
  });

  it.each([
    ...[
      'https://127.0.0.1/',
      'https://127.0.0.1./',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
    ],
    ...['https://127.1/', 'https://0x7f.1/', 'https://[::1]/', 'https://[0:0:0:0:0:0:0:1]/', 'https://localhost/'],
    ...[
      'https://localhost./',
      'https://LOCALHOST/',
      'https://a.localhost/',
      'https://①②⑦.0.0.1/',
      'https://127。0。0。1/',
    ],
    ...['https://127.0.0.1:9001/2018-06-01/runtime/invocation/next'],
  ])('refuses %s when deployed, however loopback is spelled', (url) => {
    expect(checkWebhookUrl(url, deployed)).toBe('url_host_not_public');
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(webhookUrlProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});
