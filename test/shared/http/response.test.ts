import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { maxAnswerBytes, takesGzip, transportable } from '../../../shared/http/response.ts';

const answer = (body: string) => ({ statusCode: 200, headers: { 'X-Request-Id': 'r' }, body });
const from = (acceptEncoding?: string) => ({
  headers: acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding },
});
const sizeOf = (result: object) => Buffer.byteLength(JSON.stringify(result));
const large = JSON.stringify({ data: Array.from({ length: 400_000 }, (_, index) => `person${index}@example.net`) });

describe('takesGzip', () => {
  it.each(['gzip', 'gzip, deflate', 'br, GZIP;q=0.5', '*', 'deflate, *;q=0.1', 'x-gzip'])('%j: yes', (header) => {
    expect(takesGzip(header)).toBe(true);
  });
  it.each(['', 'identity', 'br', 'gzip;q=0', '*, gzip;q=0', 'gzip; q=0.0', 'xgzip'])('%j: no', (header) => {
    expect(takesGzip(header)).toBe(false);
  });
});

describe('transportable', () => {
  it('leaves a small answer as it is', async () => {
    const small = answer('{}');
    expect(await transportable(small, from('gzip'))).toBe(small);
  });

  it('compresses from half a million characters on', async () => {
    const below = answer('x'.repeat(499_999));
    expect(await transportable(below, from('gzip'))).toBe(below);
    expect((await transportable(answer('x'.repeat(500_000)), from('gzip'))).isBase64Encoded).toBe(true);
  });

  it('answers exactly what Lambda takes, and not one byte more', async () => {
    const most = answer('x'.repeat(maxAnswerBytes - sizeOf(answer(''))));
    expect(await transportable(most, from())).toBe(most);
    await expect(transportable(answer(`${most.body}x`), from())).rejects.toMatchObject({ status: 413 });
  });

  it('compresses a large answer for a client that accepts gzip, and keeps its headers', async () => {
    expect(sizeOf(answer(large))).toBeGreaterThan(maxAnswerBytes);
    const result = await transportable(answer(large), from('gzip'));
    expect(result.headers).toEqual({ 'X-Request-Id': 'r', 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(result.isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(result.body, 'base64')).toString()).toBe(large);
    expect(sizeOf(result)).toBeLessThan(maxAnswerBytes);
  });

  it('asks a client that does not accept gzip to do so', async () => {
    await expect(transportable(answer(large), from())).rejects.toMatchObject({
      status: 413,
      text: { en: expect.stringContaining('Accept-Encoding: gzip'), fr: expect.stringContaining('gzip') },
    });
  });

  it('says to split the call when compression does not help', async () => {
    const noise = JSON.stringify(randomBytes(6_000_000).toString('latin1'));
    await expect(transportable(answer(noise), from('gzip'))).rejects.toMatchObject({
      status: 413,
      text: { en: expect.stringContaining('split the call') },
    });
  });

  it('sends an answer uncompressed that would not fit compressed', async () => {
    const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
      (c) => !'"\\'.includes(c),
    );
    const noise = Array.from(randomBytes(6_200_000), (byte) => characters[byte % characters.length]).join('');
    const result = await transportable(answer(noise), from('gzip'));
    expect(result.isBase64Encoded).toBeUndefined();
    expect(result.body).toBe(noise);
  });

  it('fits the answer to the longest list of addresses that Lambda accepts, even a random one', async () => {
    // An event of 6 MB contains a body of 4.7 MB in base64; each address is returned with its reason.
    const listBytes = 4_700_000;
    const characters = 'abcdefghijklmnopqrstuvwxyz0123456789!#$%&*+/=?^_`{|}~-.';
    const addresses = Array.from({ length: 50_000 }, () => {
      const bytes = randomBytes(Math.floor(listBytes / 50_000) - 3 - 8);
      return `${Array.from(bytes, (byte) => characters[byte % characters.length]).join('')}@x.ample`;
    });
    const body = JSON.stringify({ excluded_addresses: addresses.map((email) => ({ email, reason: 'not_in_list' })) });
    const result = await transportable(answer(body), from('gzip'));
    expect(sizeOf(result)).toBeLessThanOrEqual(maxAnswerBytes);
  });
});
