import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as tls from 'node:tls';
import { hashOf, usualPolicy } from '../../../../shared/platform/aws/clients.ts';
import { type BodyInPieces, HttpClient, UnansweredRequest } from '../../../../shared/platform/httpClient.ts';
import { startProvider, type TestProvider } from './provider.ts';

const { valid, authority } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/tls/certificates.json'), 'utf8'),
);
const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...trusted, authority]));
afterAll(() => tls.setDefaultCACertificates(trusted));

let provider: TestProvider;
afterEach(() => provider.stop());

const pieceBytes = 100_000;
const whole = randomBytes(120 * pieceBytes);

/** All its pieces in one buffer, and how often it was asked for one. */
function bodyInOneBuffer(): BodyInPieces & { asked(): number } {
  let asked = 0;
  return {
    length: whole.length,
    asked: () => asked,
    *pieces() {
      const shared = Buffer.alloc(pieceBytes);
      for (let start = 0; start < whole.length; start += pieceBytes) {
        asked += 1;
        whole.copy(shared, 0, start, start + pieceBytes);
        yield shared;
      }
    },
  };
}

async function post(endpoint: string, body: BodyInPieces): Promise<string> {
  const { protocol, hostname, port } = new URL(endpoint);
  const http = new HttpClient({ ...usualPolicy, answering: 20_000 });
  const headers = { 'content-length': String(body.length) };
  const answer = await http.send({ method: 'POST', protocol, hostname, port, path: '/', headers, body });
  const words = await text(answer);
  http.destroy();
  return words;
}

/** Answers with the hash of what came, which it begins to read after a pause, and goes on reading with pauses. */
const slowly: RequestListener = async (request, response) => {
  await sleep(300);
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of request) {
    hash.update(chunk);
    read += 1;
    if (read % 20 === 0) await sleep(5);
  }
  response.end(hash.digest('hex'));
};

describe('a body whose pieces share one buffer', () => {
  it.each([
    ['http', {}],
    ['https', { identity: { cert: valid.certificate, key: valid.key } }],
  ])('arrives whole over %s, however slowly it is read', async (_scheme, options) => {
    provider = await startProvider(slowly, options);
    const body = bodyInOneBuffer();
    expect(await post(provider.endpoint, body)).toBe(createHash('sha256').update(whole).digest('hex'));
    expect(hashOf(body)).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  it('is asked for no more when its request has failed', async () => {
    provider = await startProvider((request) => void request.once('data', () => request.socket.destroy()));
    const body = bodyInOneBuffer();
    await expect(post(provider.endpoint, body)).rejects.toBeInstanceOf(UnansweredRequest);
    const asked = body.asked();
    expect(asked).toBeLessThan(whole.length / pieceBytes);
    await sleep(50);
    expect(body.asked()).toBe(asked);
  });
});
