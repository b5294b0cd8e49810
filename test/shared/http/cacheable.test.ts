import { gunzipSync } from 'node:zlib';
import { cacheable } from '../../../shared/http/response.ts';

const body = JSON.stringify({ text: 'x'.repeat(5000) });
const answer = { statusCode: 200, headers: { 'Content-Type': 'application/json', Vary: 'Accept-Language' }, body };
const ask = (headers: Record<string, string> = {}, of = answer) => cacheable(of, { headers }, 3600);

describe('a document that is the same for everybody', () => {
  it('is compressed for who takes gzip, and plain for who does not', async () => {
    const plain = await ask();
    expect(plain).toMatchObject({ statusCode: 200, body });
    expect(plain.headers).not.toHaveProperty('Content-Encoding');
    const packed = await ask({ 'Accept-Encoding': 'gzip, br' });
    expect(packed).toMatchObject({ isBase64Encoded: true, headers: { 'Content-Encoding': 'gzip' } });
    expect(gunzipSync(Buffer.from(packed.body, 'base64')).toString()).toBe(body);
    expect(packed.headers?.ETag).toBe(plain.headers?.ETag);
  });

  it('may be kept by anybody, by language and encoding', async () => {
    const { headers } = await ask();
    expect(headers).toMatchObject({
      'Cache-Control': 'public, max-age=3600',
      Vary: 'Accept-Language, Accept-Encoding',
    });
    expect(headers?.ETag).toMatch(/^W\/"[\w-]{22}"$/);
  });

  it('is not sent again to who has it', async () => {
    const tag = String((await ask()).headers?.ETag);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await ask({ 'If-None-Match': known, 'Accept-Encoding': 'gzip' });
      expect(again).toMatchObject({ statusCode: 304, body: '', headers: { ETag: tag } });
      expect(again.headers).not.toHaveProperty('Content-Encoding');
    }
    for (const other of ['"other"', '', tag.slice(0, -2)]) {
      expect((await ask({ 'If-None-Match': other })).statusCode).toBe(200);
    }
  });

  it('has another tag when it has changed', async () => {
    const other = await ask({}, { ...answer, body: `${body} ` });
    expect(other.headers?.ETag).not.toBe((await ask()).headers?.ETag);
  });
});
