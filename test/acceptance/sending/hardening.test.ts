import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { call } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const client = () => ({ ...service, apiKey: workspace.apiKey });
const email = (over: object = {}) => ({
  from: `hello@${workspace.domain}`,
  to: someone(),
  subject: 'Hello',
  text: 'Hi.',
  ...over,
});
const remaining = async () => (await call(client(), 'GET', '/api/v1/me')).body.emails_remaining;

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly name: string; readonly statusCode: number };
}

/** A request whose target is sent as it is, which no normal HTTP client does. */
function raw(target: string, options: { method?: string; body?: Buffer; language?: string } = {}): Promise<RawAnswer> {
  const { method = 'GET', body, language = 'en' } = options;
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Language': language, ...(body ? { 'Content-Length': body.length } : {}) };
    const sent = request({ hostname, port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const rateHeaders = {
  'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
  'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
  'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  'x-request-id': expect.any(String),
};

describe('odd paths', () => {
  it.each(['//', '//api/v1/me', '/api/v1//me', 'http://[/x', '/api%2Fv1/me', '/%', '*'])(
    'are 404 in the one error shape: %s',
    async (target) => {
      const answer = await raw(target);
      expect(answer).toMatchObject({ status: 404, body: { name: 'not_found', statusCode: 404 } });
      expect(answer.headers).toMatchObject(rateHeaders);
    },
  );
});

describe('413', () => {
  it('is answered by the gateway itself, with the limit in every language', async () => {
    const body = Buffer.alloc(65 * 1024 * 1024, 'x');
    const answer = await raw('/api/v1/emails', { method: 'POST', body, language: 'fr' });
    expect(answer).toMatchObject({
      status: 413,
      body: {
        name: 'validation_error',
        message:
          'The request body is larger than this service takes: about 64 MB. / Le corps de la requête dépasse ce que ce service accepte : environ 64 Mo.',
      },
    });
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': rateHeaders['x-ratelimit-limit'],
      'content-language': 'en, fr',
    });
  });
});

describe('hostile bodies', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const bodyWith = (members: string) => `${JSON.stringify(email()).slice(0, -1)},${members}}`;

  it.each([
    ['two deeply nested reply addresses', () => bodyWith(`"reply_to":${deep(100_000)},"replyTo":${deep(100_000)}`)],
    ['half of a surrogate pair in the subject', () => bodyWith('"subject":"a\\ud800b"')],
    [
      '50,000 headers of the wrong type',
      () => bodyWith(`"headers":{${Array.from({ length: 50_000 }, (_, index) => `"X-${index}":1`).join()}}`),
    ],
    ['200,000 recipients', () => bodyWith(`"to":${JSON.stringify(Array.from({ length: 200_000 }, () => 1))}`)],
  ])('get 422 in an answer of bounded size: %s', async (_name, body) => {
    const answer = await call(client(), 'POST', '/api/v1/emails', { raw: body() });
    expect([answer.status, answer.body.name]).toEqual([422, 'validation_error']);
    expect(JSON.stringify(answer.body).length).toBeLessThan(500_000);
  });

  it('accepts HTML of 400,000 characters with unclosed tags', async () => {
    const over = { html: '<a href="x" '.repeat(33_000), unsubscribe_url: 'https://example.org/leave' };
    expect((await call(client(), 'POST', '/api/v1/emails', { body: email(over) })).status).toBe(202);
  });

  it('accepts a subject of 998 characters without a space', async () => {
    expect((await call(client(), 'POST', '/api/v1/emails', { body: email({ subject: 'x'.repeat(998) }) })).status).toBe(
      202,
    );
  });
});

describe('a provider that is slow with each of three envelopes', () => {
  it('is not asked for a third after 12 seconds: the answer is partial, and a retry sends to the rest', async () => {
    const key = randomUUID();
    const [to, cc, bcc] = [0, 1, 2].map(() => Array.from({ length: 50 }, someone)) as [string[], string[], string[]];
    const options = { body: email({ to, cc, bcc }), headers: { 'Idempotency-Key': key } };
    const before = await remaining();
    await setFaults(service, { latency_ms: 6100 });
    const slow = await call(client(), 'POST', '/api/v1/emails', options);
    expect(slow.status).toBe(502);
    expect(slow.body.error.details).toEqual({ provider_code: 'Timeout', accepted: [...to, ...cc], refused: bcc });
    expect(await remaining()).toBe(before - 100);
    await setFaults(service);
    expect((await call(client(), 'POST', '/api/v1/emails', options)).status).toBe(202);
    expect(await remaining()).toBe(before - 150);
    for (const list of [to, cc, bcc]) expect(await inbox(service, list[0] ?? '')).toHaveLength(1);
  });
});
