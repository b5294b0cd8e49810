import type { Socket } from 'node:net';
import type { ResolvedAddress } from '../../../shared/outbound/hostCheck.ts';
import { postSafely, type SafeRequest } from '../../../shared/outbound/safeRequest.ts';
import { startReceiver, type TestReceiver } from './testReceiver.ts';

const body = '{"id":"evt_1","name":"Éloïse"}';
const base = { body, headers: { 'Content-Type': 'application/json' }, maxResponseBytes: 1000, allowLoopback: true };

let receiver: TestReceiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

/** Starts a receiver and posts to its IP address. */
async function post(script: (socket: Socket) => void, request: Partial<SafeRequest> = {}) {
  receiver = await startReceiver(script);
  const url = `http://127.0.0.1:${receiver.port}/hook?a=b`;
  return await postSafely({ ...base, timeoutMilliseconds: 60_000, url, ...request });
}

const answering = (answer: string) => (socket: Socket) => socket.end(answer);

describe('postSafely', () => {
  it('posts the bytes unchanged and reads status and body', async () => {
    const response = await post(answering('HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nThank you'));
    expect(response).toEqual({ status: 201, body: 'Thank', durationMilliseconds: expect.any(Number) });
    const [head = '', sent] = receiver?.heard().split('\r\n\r\n') ?? [];
    expect(sent).toBe(body);
    expect(head.split('\r\n')[0]).toBe('POST /hook?a=b HTTP/1.1');
    expect(head).toMatch(/^content-length: 32$/im);
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^connection: close$/im);
  });

  it.each([200, 204, 299, 304, 400, 410, 500])('reports status %d as it is', async (status) => {
    const response = await post(answering(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
    expect(response.status).toBe(status);
  });

  it.each([301, 302, 303, 307, 308])('does not follow %d', async (status) => {
    const target = await startReceiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    const location = `http://127.0.0.1:${target.port}/`;
    const response = await post(
      answering(`HTTP/1.1 ${status} X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(response.status).toBe(status);
    expect(target.connections()).toBe(0);
    await target.close();
  });

  it('opens a new connection each time, even if the receiver keeps the last one open', async () => {
    const script = (socket: Socket) =>
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok');
    await post(script);
    const url = `http://127.0.0.1:${receiver?.port}/`;
    await postSafely({ ...base, timeoutMilliseconds: 60_000, url });
    expect(receiver?.connections()).toBe(2);
  });

  it('stops reading an endless body at the limit and closes the connection', async () => {
    let hasHungUp: Promise<unknown> = Promise.resolve();
    const response = await post((socket) => {
      hasHungUp = new Promise((resolve) => socket.on('close', resolve));
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const flood = () => {
        while (!socket.destroyed && socket.write('x'.repeat(10_000)));
      };
      socket.on('drain', flood);
      flood();
    });
    expect(response).toMatchObject({ status: 200, body: 'x'.repeat(1000) });
    await hasHungUp;
  });

  it('leaves out a character that the limit cut in half', async () => {
    const response = await post(answering('HTTP/1.1 200 OK\r\n\r\naé'), { maxResponseBytes: 2 });
    expect(response.body).toBe('a');
  });

  it('reads an answer that arrives before the receiver has read the body', async () => {
    const answer = answering('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    const response = await post(answer, { body: Buffer.alloc(20_000_000, 'x') });
    expect(response.status).toBe(413);
  });
});

describe('a failing receiver', () => {
  it.each([
    ['hangs up without a word', (socket: Socket) => socket.destroy(), 'connection', null],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'connection', null],
    ['sends half a status line', answering('HTTP/1.1 20'), 'connection', null],
    ['sends half a head', answering('HTTP/1.1 200 OK\r\nContent-Le'), 'connection', null],
    ['sends half a body', answering('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'), 'incomplete_answer', 200],
    [
      'breaks off a chunk',
      answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf'),
      'incomplete_answer',
      200,
    ],
    ['speaks something else', answering('SSH-2.0-OpenSSH_9.9\r\n'), 'protocol', null],
    [
      'sends a bad chunk',
      answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      'incomplete_answer',
      200,
    ],
    [
      'sends two lengths',
      answering('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
      'protocol',
      null,
    ],
    ['sends too long a head', answering(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 'protocol', null],
    [
      'changes the protocol',
      answering('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'protocol',
      null,
    ],
  ])('%s', async (_, script, code, status) => {
    await expect(post(script)).rejects.toMatchObject({ name: 'SafeRequestError', code, status });
  });

  it('is not there', async () => {
    const gone = await startReceiver(() => {});
    await gone.close();
    const request = postSafely({ ...base, timeoutMilliseconds: 60_000, url: `http://127.0.0.1:${gone.port}/` });
    await expect(request).rejects.toMatchObject({ code: 'connection', status: null });
  });

  it.each([
    ['says nothing', () => {}, null],
    ['says hints for ever', (socket: Socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), null],
    ['drips its head', (socket: Socket) => drip(socket, 'x', 'HTTP/1.1 200 OK\r\nX: '), null],
    ['stops after its head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'), 200],
    ['drips its body', (socket: Socket) => drip(socket, 'x', 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'), 200],
  ])('%s: ends at the deadline', async (_, script, status) => {
    const error = await post(script, { timeoutMilliseconds: 1500 }).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'SafeRequestError', code: 'timeout', status });
    expect(error.durationMilliseconds).toBeGreaterThan(1490);
  });

  it('is a name that never resolves: ends at the deadline', async () => {
    const request = postSafely({ ...named, timeoutMilliseconds: 200, resolver: () => new Promise(() => {}) });
    await expect(request).rejects.toMatchObject({ code: 'timeout' });
  });
});

/** Writes a chunk every 20 ms until the connection is closed. */
function drip(socket: Socket, text: string, beginning = ''): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

const named = { ...base, url: 'https://receiver.example.com/hook', timeoutMilliseconds: 60_000, allowLoopback: false };
const ipv4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const ipv6 = (address: string): ResolvedAddress => ({ address, family: 6 });

describe('an address that is not public', () => {
  const spellings = (port: number) =>
    [
      ...[
        '127.0.0.1',
        '127.0.0.1.',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
        '017700000001',
        '127.1',
        '0x7f.1',
        '127.0.1',
      ],
      ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
      ...[
        '[2002:7f00:1::]',
        'localhost',
        'localhost.',
        'LOCALHOST',
        'x.localhost',
        '①②⑦.0.0.1',
        '127。0。0。1',
        '0.0.0.0',
        '0',
        '[::]',
      ],
      ...['169.254.169.254', '0xa9fea9fe', '[fd00:ec2::254]', '10.0.0.1', '192.168.0.1', '100.64.0.1', '[fe80::1]'],
    ].map((host) => `https://${host}:${port}/`);

  it('is refused in every spelling, before anything is sent', async () => {
    const target = await startReceiver(() => {});
    for (const url of [...spellings(target.port), 'https://127.0.0.1:9001/2018-06-01/runtime/invocation/next']) {
      const request = postSafely({ ...base, timeoutMilliseconds: 60_000, allowLoopback: false, url });
      await expect(request.catch(({ code }) => ({ url, code }))).resolves.toEqual({ url, code: 'blocked_address' });
    }
    expect(target.connections()).toBe(0);
    await target.close();
  });

  it.each([
    'http://127.0.0.1/',
    'http://example.com/',
    'https://a:b@example.com/',
    'https://example.com/#x',
    'gopher://x.com/',
    'x',
  ])('is not even looked up for %s', async (url) => {
    let lookups = 0;
    const resolver = async () => [ipv4(lookups++ ? '8.8.8.8' : '8.8.4.4')];
    const request = postSafely({ ...named, url, resolver });
    await expect(request).rejects.toMatchObject({ code: 'invalid_url' });
    expect(lookups).toBe(0);
  });

  it.each([
    ['loopback', [ipv4('127.0.0.1')]],
    ['a private network', [ipv4('10.1.2.3')]],
    ['the metadata of the cloud', [ipv4('169.254.169.254')]],
    ['the metadata of the cloud over IPv6', [ipv6('fd00:ec2::254')]],
    ['a mapped address', [ipv6('::ffff:127.0.0.1')]],
    ['an IPv4-compatible address', [ipv6('::7f00:1')]],
    ['NAT64', [ipv6('64:ff9b::7f00:1')]],
    ['no unicast address', [ipv4('0.0.0.0')]],
    ['several records of which one is private', [ipv4('8.8.8.8'), ipv6('2606:4700:4700::1111'), ipv4('127.0.0.1')]],
    ['an address in an odd spelling', [ipv4('0177.0.0.1')]],
  ])('is refused when a name resolves to %s', async (_, addresses) => {
    const request = postSafely({ ...named, resolver: async () => addresses });
    await expect(request).rejects.toMatchObject({ code: 'blocked_address', status: null });
  });

  it('is refused on the local runtime too, loopback excepted', async () => {
    for (const host of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]']) {
      const request = postSafely({ ...base, timeoutMilliseconds: 60_000, url: `https://${host}/` });
      await expect(request).rejects.toMatchObject({ code: 'blocked_address' });
    }
    const request = postSafely({
      ...named,
      allowLoopback: true,
      resolver: async () => [ipv4('10.0.0.1'), ipv4('127.0.0.1')],
    });
    await expect(request).rejects.toMatchObject({ code: 'blocked_address' });
  });

  it('is not reached by DNS rebinding: each request resolves once and connects to that address', async () => {
    const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254'];
    const resolver = async () => [ipv4(answers.shift() ?? '127.0.0.1')];
    const target = await startReceiver(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const url = `http://receiver.localhost:${target.port}/`;
    const send = () => postSafely({ ...base, timeoutMilliseconds: 60_000, url, resolver });
    await expect(send()).resolves.toMatchObject({ body: 'ok' });
    expect(answers).toHaveLength(2);
    await expect(send()).rejects.toMatchObject({ code: 'blocked_address' });
    await expect(send()).rejects.toMatchObject({ code: 'blocked_address' });
    expect(target.connections()).toBe(1);
    await target.close();
  });
});

describe('a name', () => {
  it.each([
    ['unknown', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })],
    ['not resolvable now', Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })],
  ])('%s', async (_, error) => {
    const request = postSafely({ ...named, resolver: () => Promise.reject(error) });
    await expect(request).rejects.toMatchObject({ code: 'dns' });
  });

  it('without an address', async () => {
    await expect(postSafely({ ...named, resolver: async () => [] })).rejects.toMatchObject({ code: 'dns' });
  });
});
