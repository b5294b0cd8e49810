import { parseWebOrigin } from '../../../../shared/domain/workspace/workspace.ts';

describe('parseWebOrigin', () => {
  it.each([
    ['https://www.example.com', 'https://www.example.com'],
    ['https://www.example.com/', 'https://www.example.com'],
    ['HTTPS://WWW.Example.COM:443', 'https://www.example.com'],
    ['https://www.example.com:8443', 'https://www.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('reads %s', (text, origin) => {
    expect(parseWebOrigin(text)).toBe(origin);
  });

  it.each([
    '',
    '*',
    "'self'",
    'example.com',
    'https://*.example.com',
    'http://www.example.com',
    'https://www.example.com/path',
    'https://www.example.com?x',
    'https://user@www.example.com',
    'https://a.example;script-src *',
    'https://a.example;script-src',
    'https://a.example https://b.example',
    'https://a.example,b',
    'javascript:alert(1)',
    'data:text/html,x',
    'null',
    'file:///etc',
    'https://localhost',
    'https://[::1]',
  ])('refuses %j', (text) => {
    expect(parseWebOrigin(text)).toBeNull();
  });
});
