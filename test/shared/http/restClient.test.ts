import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ServiceError } from '../../../shared/contract/errors.ts';
import { callRest } from '../../../shared/http/restClient.ts';
import { takeSettings } from '../../../shared/platform/config.ts';
import { withDeadline } from '../../../shared/platform/deadline.ts';

let server: Server;
let answer: RequestListener = () => {};
const asked: IncomingMessage[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  publicUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prod/`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const publicUrl = (PUBLIC_URL: string) => takeSettings({ PUBLIC_URL });
const request = { method: 'POST', path: '/api/v1/emails', headers: { 'idempotency-key': 'k' }, body: '{"a":"é"}' };
const unanswered = { en: 'It is unknown whether it was done.', fr: 'Nul ne sait : on ne sait pas si c’est fait.' };
const ask = () => callRest(request, { key: 'mr_live_x', language: 'fr', agent: 'a test', unanswered });
const refusalOf = (call: Promise<unknown>): Promise<ServiceError> =>
  call.then(
    () => Promise.reject(new Error('It was answered.')),
    (error) => error as ServiceError,
  );

describe('the call of the REST API', () => {
  it('goes to the public address of the deployment, with the key, the language and the arguments', async () => {
    answer = (incoming, response) => {
      incoming.setEncoding('utf8').on('data', (body) => response.end(JSON.stringify({ body })));
    };
    const { status, body } = await ask();
    expect([status, JSON.parse(body)]).toEqual([200, { body: '{"a":"é"}' }]);
    const incoming = asked.at(-1);
    expect([incoming?.method, incoming?.url]).toEqual(['POST', '/prod/api/v1/emails']);
    expect(incoming?.headers).toMatchObject({
      authorization: 'Bearer mr_live_x',
      'accept-language': 'fr',
      'idempotency-key': 'k',
      'user-agent': 'a test',
      'content-length': '10',
    });
  });

  it('reads a compressed answer', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    expect(await ask()).toMatchObject({ status: 200, body: '{"a":1}' });
  });

  it('that breaks reports an unknown outcome, and is not repeated', async () => {
    const before = asked.length;
    answer = (incoming) => incoming.socket.destroy();
    expect((await refusalOf(ask())).text.en).toMatch(/unknown whether/);
    answer = (incoming, response) => {
      response.writeHead(200).write('{"id":');
      setTimeout(() => incoming.socket.destroy(), 20);
    };
    expect((await refusalOf(ask())).text.en).toMatch(/unknown whether/);
    expect(asked.length - before).toBe(2);
  });

  it('ends at the deadline of the invocation', async () => {
    answer = () => {};
    const refusal = await refusalOf(withDeadline(500, ask));
    expect([refusal.code, refusal.text.fr]).toEqual(['internal_error', expect.stringMatching(/on ne sait pas/)]);
  });

  it('that was never sent reports that nothing was done', async () => {
    const before = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    publicUrl('http://127.0.0.1:1');
    expect((await refusalOf(ask())).text.en).toMatch(/Nothing was done/);
    publicUrl(before);
  });
});
