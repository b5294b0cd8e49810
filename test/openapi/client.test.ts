import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientFolder } from '../../infra/openapi/client.ts';
import { call } from '../acceptance/client.ts';
import { sharedService, type TestService } from '../acceptance/service.ts';
import { newWorkspace } from '../acceptance/workspace.ts';
import { clientName, installClient } from './packedClient.ts';

const root = join(import.meta.dirname, '..', '..');

let folder: string;
/** What is loaded has types of its own, which are tested below. */
interface LoadedClient {
  readonly Mailroom: new (options: object) => LoadedCalls;
  readonly MailroomError: new () => Error;
  readonly verifyWebhook: (body: string | Uint8Array, headers: object, secret: string) => Promise<object>;
}

interface LoadedCalls {
  readonly account: { get(): Promise<object> };
  readonly emails: {
    send(input: object): Promise<{ id: string }>;
    sendBatch(input: object): Promise<{ data: { id: string }[] }>;
  };
  readonly subscribers: { list(input: object): AsyncIterable<{ email: string }> };
  readonly suppression: { add(input: object): Promise<object> };
}

let client: LoadedClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-client-'));
  await installClient(folder);
  client = await import(join(folder, 'node_modules', clientName, 'dist', 'index.js'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a customer writes: an error is told apart by its code, a list is read by its entries. */
const use = `import { Mailroom, MailroomError, verifyWebhook } from '${clientName}';

const mailroom = new Mailroom({ apiKey: process.env.MAILROOM_API_KEY, baseUrl: 'https://mail.example.com', language: 'fr' });
const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Hello' };
try {
  const { id } = await mailroom.emails.send({ body: { ...email, text: 'Hello' } });
  for await (const { email: address } of mailroom.subscribers.list()) console.log(id.length, address.length);
  const page = await mailroom.subscribers.list({ query: { status: 'subscribed' } });
  console.log(page.next_cursor?.length, page.data[0]?.firstName);
} catch (error) {
  if (!(error instanceof MailroomError)) throw error;
  if (error.code === 'quota_exceeded') console.log(error.details.resets_at.length, error.retryAfter);
  else if (error.code === 'validation_error') console.log(error.details.issues[0]?.path);
  // @ts-expect-error: details are those of the code.
  else console.log(error.details.resets_at);
  // @ts-expect-error: there is no such code.
  if (error.code === 'no_such_code') console.log(error);
}
const event = await verifyWebhook('{}', new Headers(), 'whsec_');
if (event.type === 'email.bounced') console.log(event.data.bounce.subtype);
const rule = { all: [{ tag: 'vip' }, { field: 'city', operator: 'equals', value: 'Paris' }] } as const;
await mailroom.segments.preview({ body: { rule: { not: { any: [...rule.all] } } } });
// @ts-expect-error: one of html, text and template is needed.
await mailroom.emails.send({ body: email });
// @ts-expect-error: no such operator.
await mailroom.segments.preview({ body: { rule: { date: 'created_at', operator: 'contains', value: 'x' } } });
// @ts-expect-error: one answer has no entries.
for await (const one of mailroom.account.get()) console.log(one);
`;

describe('the types of the client', () => {
  it('are those of requests, answers, lists, errors, events and rules', async () => {
    writeFileSync(join(folder, 'use.mts'), use);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use.mts'] }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

describe('the sources of the client', () => {
  const source = join(clientFolder, 'src');
  const linesOf = (text: string) => text.trimEnd().split('\n').length;
  const types = readFileSync(join(source, 'gen', 'types.gen.ts'), 'utf8');

  it('have at most 200 lines written by hand', () => {
    const names = readdirSync(source).filter((name) => name.endsWith('.ts'));
    const lines = names.map((name) => linesOf(readFileSync(join(source, name), 'utf8')));
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(200);
    expect(names).toContain('index.ts');
  });

  it('have at most 5,300 lines of generated types, and none of more than 60', () => {
    expect(linesOf(types)).toBeLessThanOrEqual(5300);
    const long = types
      .split(/^(?=export type )/m)
      .filter((one) => linesOf(one) > 60)
      .map((one) => one.slice(0, 60));
    expect(long).toEqual([]);
  });

  it('are published with no other package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules', clientName, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
  });
});

/** What a server answers to each call in order, and what it was asked. */
class Script {
  readonly asked: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  readonly #server: Server;
  #answers: ((response: ServerResponse) => void)[] = [];

  constructor() {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { method = '', url: path = '', headers } = request;
      this.asked.push({ method, path, headers, body: Buffer.concat(parts).toString() });
      this.#answers.shift()?.(response);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answer(...answers: ((response: ServerResponse) => void)[]): void {
    this.asked.length = 0;
    this.#answers = answers;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const answered =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const broken = (response: ServerResponse) => response.destroy();
const brokenInBody = (response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"id":', () => response.destroy());
};
const refused = (code: string, status: number, details: object = {}) => ({
  error: { code, message: 'No.', details },
  statusCode: status,
  message: 'No.',
  name: code,
});

describe('a call of the client', () => {
  const script = new Script();
  let mailroom: LoadedCalls;
  beforeAll(async () => {
    mailroom = new client.Mailroom({ apiKey: 'mr_test', baseUrl: `${await script.start()}/`, language: 'fr' });
  });
  afterAll(() => script.stop());

  const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Hello', text: 'Hello' };
  const send = () => mailroom.emails.send({ body: email });
  const failure = async (promise: Promise<unknown>): Promise<Error> => {
    const error = await promise.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(client.MailroomError);
    expect((error as Error).constructor.name).toBe('MailroomError');
    return error as Error;
  };

  it.each([undefined, null, {}])('is not made without a base URL: %j', (options) => {
    expect(() => new client.Mailroom(options as object)).toThrow(/^There is no baseUrl: give options/);
  });

  it('has the key and the language', async () => {
    script.answer(answered(200, { object: 'account' }));
    await mailroom.account.get();
    expect(script.asked[0]).toMatchObject({
      path: '/api/v1/me',
      headers: { authorization: 'Bearer mr_test', 'accept-language': 'fr' },
    });
  });

  it.each([
    ['429', answered(429, refused('rate_limit_exceeded', 429), { 'Retry-After': '1' })],
    ['500', answered(500, refused('internal_error', 500))],
    ['503', answered(503, refused('internal_error', 503), { 'Retry-After': '1' })],
    ['504 of a proxy', answered(504, '<html>')],
    ['a broken connection', broken],
    ['a connection that breaks in the answer', brokenInBody],
  ])('is made again under one Idempotency-Key after %s', async (_name, first) => {
    script.answer(first, answered(202, { object: 'email', id: 'email_1' }));
    expect(await send()).toMatchObject({ id: 'email_1' });
    const keys = script.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });

  it('is made three times at most', async () => {
    const passing = answered(500, refused('internal_error', 500, { request_id: 'r' }));
    script.answer(passing, passing, passing, answered(202, { id: 'never' }));
    expect(await failure(send())).toMatchObject({ code: 'internal_error', status: 500, details: { request_id: 'r' } });
    expect(script.asked).toHaveLength(3);
  });

  it.each([
    [409, 'conflict'],
    [422, 'validation_error'],
    [502, 'send_failed'],
  ])('is made once when the answer is %d', async (status, code) => {
    script.answer(answered(status, refused(code, status), { 'Retry-After': '1' }), answered(202, { id: 'never' }));
    expect(await failure(send())).toMatchObject({ code, status, retryAfter: 1, message: 'No.', name: 'MailroomError' });
    expect(script.asked).toHaveLength(1);
  });

  it('is not made again if it could act twice: a POST that takes no Idempotency-Key, except after 429', async () => {
    const add = () => mailroom.suppression.add({ body: { email: 'ada@example.net' } });
    script.answer(answered(503, refused('internal_error', 503)), answered(201, { id: 'never' }));
    expect(await failure(add())).toMatchObject({ status: 503 });
    expect(script.asked).toHaveLength(1);
    script.answer(broken, answered(201, { id: 'never' }));
    await expect(add()).rejects.toThrow('fetch failed');
    expect(script.asked).toHaveLength(1);
    script.answer(
      answered(429, refused('rate_limit_exceeded', 429), { 'Retry-After': '1' }),
      answered(201, { id: 'it' }),
    );
    expect(await add()).toEqual({ id: 'it' });
    expect(script.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('keeps the Idempotency-Key of the caller', async () => {
    script.answer(answered(202, { id: 'email_1' }));
    await mailroom.emails.send({ body: email, headers: { 'Idempotency-Key': 'order-42' } });
    expect(script.asked[0]?.headers['idempotency-key']).toBe('order-42');
  });

  it('waits as long as it is asked to, and leaves more than two minutes to the caller', async () => {
    const started = Date.now();
    script.answer(answered(429, refused('rate_limit_exceeded', 429), { 'Retry-After': '2' }), answered(202, {}));
    await send();
    expect(Date.now() - started).toBeGreaterThanOrEqual(1900);
    script.answer(answered(429, refused('rate_limit_exceeded', 429), { 'Retry-After': '3600' }), answered(202, {}));
    expect(await failure(send())).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 3600 });
  });

  it('ends when the caller aborts it, also while it waits', async () => {
    const control = new AbortController();
    script.answer((response) => {
      answered(503, refused('internal_error', 503), { 'Retry-After': '60' })(response);
      response.on('finish', () => control.abort());
    });
    await expect(mailroom.emails.send({ body: email, signal: control.signal })).rejects.toThrow(/abort/i);
    expect(script.asked).toHaveLength(1);
  });

  it('follows the pages of a list with its filters', async () => {
    const page = (emails: string[], next: string | null) =>
      answered(200, {
        object: 'list',
        data: emails.map((one) => ({ email: one })),
        has_more: !!next,
        next_cursor: next,
      });
    script.answer(
      page(['a@example.net', 'b@example.net'], 'next one'),
      page([], 'last'),
      page(['c@example.net'], null),
    );
    const found: string[] = [];
    for await (const { email: address } of mailroom.subscribers.list({ query: { status: 'subscribed', limit: 2 } })) {
      found.push(address);
    }
    expect(found).toEqual(['a@example.net', 'b@example.net', 'c@example.net']);
    expect(script.asked.map(({ path }) => new URL(path, 'http://x').searchParams.get('cursor'))).toEqual([
      null,
      'next one',
      'last',
    ]);
    expect(script.asked.every(({ path }) => path.includes('status=subscribed&limit=2'))).toBe(true);
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = JSON.stringify({ id: 'evt_1', type: 'email.delivered', data: { subject: 'Été' } });
  const now = () => Math.floor(Date.now() / 1000);
  const ours = (time: number, text = body, key = secret) => ({
    'Service-Signature': `t=${time},v1=${'0'.repeat(64)},v1=${createHmac('sha256', key).update(`${time}.${text}`).digest('hex')}`,
  });
  const standard = (time: number, text = body, key = secret) => {
    const bytes = Buffer.from(key.slice(6), 'base64');
    const signature = createHmac('sha256', bytes).update(`evt_1.${time}.${text}`).digest('base64');
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
    };
  };

  it.each([
    ['Service-Signature', ours],
    ['webhook-signature', standard],
  ])('takes a right %s of the last 300 seconds, and no other', async (_name, signed) => {
    const event = await client.verifyWebhook(body, signed(now()), secret);
    expect(event).toEqual(JSON.parse(body));
    expect(await client.verifyWebhook(Buffer.from(body), new Headers(signed(now() - 290)), secret)).toEqual(event);
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const wrong: [string, Record<string, string>, string][] = [
      [body, signed(now() - 310), secret],
      [body, signed(now() + 310), secret],
      [`${body} `, signed(now()), secret],
      [body, signed(now(), body, other), secret],
      [body, signed(now()), ''],
      [body, {}, secret],
    ];
    for (const [text, headers, key] of wrong) {
      await expect(client.verifyWebhook(text, headers, key)).rejects.toThrow('no valid signature');
    }
  });

  it('takes either when both are there', async () => {
    const headers = { ...ours(now()), ...standard(now(), body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`) };
    expect(await client.verifyWebhook(body, headers, secret)).toMatchObject({ type: 'email.delivered' });
  });
});

describe('the client on a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service.stop());

  it('uploads files above 3 MB in all, and sends the others in the body', async () => {
    const { apiKey, domain } = await newWorkspace(service);
    const mailroom = new client.Mailroom({ apiKey, baseUrl: service.baseUrl });
    const file = (name: string, bytes: number) => ({
      filename: name,
      content: Buffer.alloc(bytes, name).toString('base64'),
    });
    const body = {
      from: `hello@${domain}`,
      to: 'ada@example.net',
      subject: 'Files',
      text: 'Files',
      attachments: [file('small.txt', 1000), file('large.txt', 3_500_000), file('other.txt', 2_900_000)],
    };
    const given = structuredClone(body);
    const asked: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = async (input) => {
      const request = input as Request;
      const size = (await request.clone().arrayBuffer()).byteLength;
      asked.push(
        `${request.method} ${new URL(request.url).pathname.split('/')[3] ?? ''} ${size > 3_400_000 ? 'large' : 'small'}`,
      );
      return fetch(request);
    };
    const { id } = await mailroom.emails.send({ body });
    globalThis.fetch = fetch;
    expect(asked.map((one) => one.replace(/^PUT \S*/, 'PUT'))).toEqual([
      'POST uploads small',
      'PUT large',
      'POST emails large',
    ]);
    expect(body).toEqual(given);
    const { body: email } = await call({ ...service, apiKey }, 'GET', `/api/v1/emails/${id}`, {});
    expect(email.subject).toBe('Files');
    const [sent] = await mailroom.emails
      .sendBatch({ body: [{ ...body, to: 'grace@example.net' }] })
      .then(({ data }) => data);
    expect(sent?.id).toMatch(/^email_/);
  });
});
