import { mayTakeMail } from '../../../shared/outbound/mailDomain.ts';
import { startDns } from './testDns.ts';

let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
});
afterAll(() => dns.stop());

describe('a domain', () => {
  // RFC 5321 section 5.1, RFC 7505.
  it.each([
    ['mx.example', true],
    ['a.example', true],
    ['aaaa.example', true],
    ['null-mx.example', false],
    ['web.example', false],
    ['unknown.example', false],
    ['broken.example', true],
    ['half.example', true],
  ])('%s may take mail: %s', async (domain, expected) => {
    expect(await mayTakeMail(domain, dns.address)).toBe(expected);
  });

  it('is not refused by a resolver that takes over two seconds, nor by one that is not there', async () => {
    const startedAt = performance.now();
    expect(await mayTakeMail('late.example', dns.address)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(await mayTakeMail('mx.example', '127.0.0.1:1')).toBe(true);
  });
});
