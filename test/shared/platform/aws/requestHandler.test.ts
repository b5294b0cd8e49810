import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { wasNeverSent } from '../../../../shared/platform/httpClient.ts';
import { answer, clientOf, startListener, startProvider, type TestProvider } from './provider.ts';

const certificates = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/tls/certificates.json'), 'utf8'),
);
const identity = { cert: certificates.valid.certificate, key: certificates.valid.key };
const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...trusted, certificates.authority]));
afterAll(() => tls.setDefaultCACertificates(trusted));

const running: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});
const using = async (provider: Promise<TestProvider>): Promise<TestProvider> => {
  running.push(await provider);
  return provider;
};
const client = (endpoint: string, own: Parameters<typeof clientOf>[1] = {}) => {
  const made = clientOf(endpoint, own);
  running.push({ stop: made.close });
  return made;
};
/** A provider in a thread of its own, which lives on while this one is frozen; the script answers each request. */
async function startElsewhere(script: string, workerData?: unknown): Promise<{ port: unknown; provider: Worker }> {
  const provider = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const server = require('node:http').createServer((request, response) => {
       response.setHeader('Content-Type', 'application/json');
       ${script}
     });
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData },
  );
  running.push({ stop: async () => void (await provider.terminate()) });
  return { provider, port: await new Promise((resolve) => provider.once('message', resolve)) };
}
const freeze = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
/** What became of a call: `sent` when bytes of it may have gone out. */
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  );
  return error && { name: error.name, code: error.code, sent: !wasNeverSent(error) };
};

describe('a kept connection', () => {
  it('carries the next call', async () => {
    const provider = await using(startProvider());
    const { call } = client(provider.endpoint);
    for (let round = 0; round < 5; round += 1) await call();
    expect(provider.connections()).toBe(1);
  });

  it.each([
    ['http', {}],
    ['https', { identity }],
  ])('is closed when it rested too long, and a fresh one carries the call (%s)', async (_scheme, options) => {
    const provider = await using(startProvider(answer, options));
    const { call } = client(provider.endpoint, { idle: 150 });
    await call();
    await wait(200);
    await call();
    expect(provider.connections()).toBe(2);
  });

  it('costs no call when the provider closes what rests', async () => {
    const provider = await using(startProvider(answer, { keepAliveMilliseconds: 300 }));
    const { call } = client(provider.endpoint, { idle: 200 });
    for (const rest of [0, 150, 250, 1250, 1301, 1299, 600]) {
      await wait(rest);
      await call();
    }
    expect(provider.requests()).toBe(7);
  });

  it('is known to be closed after this process was frozen, however short its rest', async () => {
    const { port } = await startElsewhere('response.end("{}", () => setTimeout(() => request.socket.destroy(), 50));');
    const { call } = client(`http://127.0.0.1:${port}`);
    for (let round = 0; round < 10; round += 1) {
      await call();
      freeze(200);
    }
  });
});

describe('time-outs', () => {
  it('do not charge a call with the wait for a connection: 60 at once through 6, each of half a second', async () => {
    const provider = await using(startProvider((...args) => setTimeout(() => answer(...args), 500)));
    const { call } = client(provider.endpoint, { connections: 6, connecting: 3000, answering: 3000 });
    expect((await Promise.allSettled(Array.from({ length: 60 }, call))).map(({ status }) => status)).not.toContain(
      'rejected',
    );
    expect(provider.connections()).toBe(6);
  });

  it('waiting: a call that finds every connection taken was certainly not sent', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint, { connections: 1, waiting: 200 });
    const first = call().catch(() => {});
    expect(await failureOf(call())).toEqual({ name: 'TimeoutError', code: 'ConnectionPoolTimeout', sent: false });
    await provider.stop();
    running.shift();
    await first;
    expect(provider.requests()).toBe(1);
  });

  it('connecting: nor was one whose TLS handshake does not end', async () => {
    const provider = await using(startListener(() => {}, 'https'));
    const { call } = client(provider.endpoint, { connecting: 200 });
    expect(await failureOf(call())).toEqual({ name: 'TimeoutError', code: 'ConnectionTimeout', sent: false });
  });

  it('answering: one that stays without an answer may have been taken', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint, { answering: 200 });
    expect(await failureOf(call())).toEqual({ name: 'TimeoutError', code: 'TimeoutError', sent: true });
  });

  it('reading: so may one whose answer breaks off', async () => {
    const provider = await using(
      startProvider((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
        response.write('{');
      }),
    );
    const { call } = client(provider.endpoint, { reading: 200 });
    expect(await failureOf(call())).toMatchObject({ sent: true });
  });

  it.each([
    ['whole', 'response.end("{}", arrived)'],
    ['and goes on later', 'response.write("{", arrived); setTimeout(() => response.end("}"), 800)'],
  ])('count nothing that arrived while this process was busy: an answer that is there %s', async (_how, answering) => {
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const script = `parentPort.postMessage("heard");
      const arrived = () => Atomics.store(workerData, 0, 1) + Atomics.notify(workerData, 0);
      setTimeout(() => { ${answering}; }, 50);`;
    const { port, provider } = await startElsewhere(script, answered);
    const { call } = client(`http://127.0.0.1:${port}`, { answering: 300 });
    const underWay = call();
    await new Promise((resolve) => provider.once('message', resolve));
    Atomics.wait(answered, 0, 0);
    freeze(400);
    await underWay;
  });
});

describe('a connection that broke', () => {
  it('before it stood: certainly not sent', async () => {
    const provider = await startProvider();
    await provider.stop();
    const { call } = client(provider.endpoint);
    expect(await failureOf(call())).toMatchObject({ code: 'ECONNREFUSED', sent: false });
  });

  it('during the TLS handshake: certainly not sent', async () => {
    const provider = await using(startListener((socket) => socket.once('data', () => socket.destroy()), 'https'));
    const { call } = client(provider.endpoint);
    expect(await failureOf(call())).toMatchObject({ sent: false });
  });

  it.each([
    ['http', {}],
    ['https', { identity }],
  ])('after the request: it may have been taken (%s)', async (_scheme, options) => {
    const provider = await using(startProvider((request) => request.socket.destroy(), options));
    const { call } = client(provider.endpoint);
    expect(await failureOf(call())).toMatchObject({ code: 'ECONNRESET', sent: true });
  });

  it('with a change of protocol, of which Node says nothing: it may have been taken', async () => {
    const change = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const provider = await using(startListener((socket) => socket.once('data', () => socket.write(change))));
    const { call } = client(provider.endpoint);
    expect(await failureOf(call())).toMatchObject({ code: 'ECONNRESET', sent: true });
  });
});

describe('an answer with a checksum', () => {
  const whole = JSON.stringify({ SendingEnabled: true, text: 'é€😀'.repeat(30_000) });
  const answered = (text: string) =>
    startProvider((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'x-amz-crc32': String(crc32(whole)) });
        const bytes = Buffer.from(text);
        for (let start = 0; start < bytes.length; start += 7919) response.write(bytes.subarray(start, start + 7919));
        response.end();
      });
    });

  it('is taken when it is right, however the answer is cut and whatever its size', async () => {
    const { call } = client((await using(answered(whole))).endpoint);
    expect(await call()).toMatchObject({ SendingEnabled: true });
  });

  it('is an error when it is wrong: the call may have been carried out', async () => {
    const { call } = client((await using(answered(whole.replace('true', 'null')))).endpoint);
    expect(await failureOf(call())).toMatchObject({ name: 'DamagedAnswer', sent: true });
  });
});
