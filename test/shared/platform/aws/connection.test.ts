import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import { askSigned } from '../../../../shared/platform/aws/signedCall.ts';
import { wasNeverSent } from '../../../../shared/platform/aws/unanswered.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
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
  jest.restoreAllMocks();
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

describe('an answer that comes when the clock has jumped over the deadline', () => {
  /** As after a laptop's sleep, or when the time is set: the deadline is past, and its timer has not come. */
  const jumping = () => {
    const now = Date.now;
    return startProvider((request, response) => {
      request.resume().on('end', () => {
        jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"SendingEnabled":true}');
      });
    });
  };

  it('is told as it came by a client of the SDK', async () => {
    const { call } = client((await using(jumping())).endpoint);
    expect(await withDeadline(60_000, call)).toMatchObject({ SendingEnabled: true });
  });

  it('is told as it came by a call of our own', async () => {
    takeSettings({ AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_SESV2: (await using(jumping())).endpoint });
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
    const { requestHandler } = connection();
    running.push({ stop: () => requestHandler.destroy() });
    const request = { service: 'ses', path: '/', headers: {}, body: Buffer.from('{}') } as const;
    const answered = withDeadline(60_000, () => askSigned(requestHandler, request));
    expect(await Promise.race([answered, wait(3000, null, { ref: false })])).toMatchObject({
      text: '{"SendingEnabled":true}',
    });
  });
});

describe('a deadline', () => {
  it('ends the call that is under way', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    expect(await failureOf(withDeadline(200, call))).toMatchObject({ name: 'DeadlineExceeded', sent: true });
  });

  it('ends a call that waits for a connection, of which nothing goes out later', async () => {
    const provider = await using(startProvider((...args) => setTimeout(() => answer(...args), 500)));
    const { call } = client(provider.endpoint, { connections: 1 });
    const first = call();
    expect(await failureOf(withDeadline(200, call))).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    await first;
    await wait(300);
    expect(provider.requests()).toBe(1);
  });

  it('lets nothing out that wakes up after it, and be it before its own timer', async () => {
    const provider = await using(startProvider());
    const { call } = client(provider.endpoint);
    await call();
    const overdue = withDeadline(100, async () => {
      freeze(150);
      return call();
    });
    expect(await failureOf(overdue)).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    expect(provider.requests()).toBe(1);
  });

  it('lets nothing out that finds its connection after it, and be it before its own timer', async () => {
    const now = Date.now;
    const provider = await using(
      startProvider((request, response) => {
        // As after a sleep: the time is over, and no timer has come.
        jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
        answer(request, response);
      }),
    );
    const { call } = client(provider.endpoint, { connections: 1 });
    const first = call();
    expect(await failureOf(withDeadline(60_000, call))).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    await first;
    expect(provider.requests()).toBe(1);
  });

  it('of an inner piece of work is never later than that of the outer one', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    const begun = performance.now();
    await failureOf(withDeadline(200, () => withDeadline(60_000, call)));
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('says nothing to a hundred calls side by side but that it is over', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    const failures = await withDeadline(300, () => Promise.all(Array.from({ length: 100 }, () => failureOf(call()))));
    await wait(10);
    process.off('warning', note);
    expect(new Set(failures.map((failure) => failure?.name))).toEqual(new Set(['DeadlineExceeded']));
    expect(warnings).toEqual([]);
  });
});
