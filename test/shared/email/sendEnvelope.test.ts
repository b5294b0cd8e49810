import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { jest } from '@jest/globals';
import { type LargeMime, mimeOf } from '../../../shared/email/mime.ts';
import { startListener, startProvider, type TestProvider } from '../platform/aws/provider.ts';

process.env.CONFIGURATION_SET = 'mail';
process.env.AWS_REGION = 'us-east-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

let provider: TestProvider;
let respond: RequestListener;
let lastBody = '';
let sendEnvelope: typeof import('../../../shared/email/ses.ts').sendEnvelope;

beforeAll(async () => {
  provider = await startProvider((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      lastBody = Buffer.concat(chunks).toString();
      respond(request, response);
    });
  });
  process.env.AWS_ENDPOINT_URL_SESV2 = provider.endpoint;
  ({ sendEnvelope } = await import('../../../shared/email/ses.ts'));
});
afterAll(() => provider.stop());

const send = () =>
  sendEnvelope({
    recipients: ['ada@example.net'],
    mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')),
    tags: [],
    tracking: { opens: false, clicks: false },
  });

/** An answer as SES sends it, with the name of an error in a header. */
const answering =
  (status: number, body: string, error?: string): RequestListener =>
  (_request, response) => {
    response.setHeader('x-amzn-RequestId', 'SES1');
    response.writeHead(status, { 'Content-Type': 'application/json', ...(error && { 'x-amzn-errortype': error }) });
    response.end(body);
  };

const json = JSON.stringify({ message: 'No.' });

describe('a message that SES answers', () => {
  it('is accepted under the id that SES gave it', async () => {
    respond = answering(200, JSON.stringify({ MessageId: '0100-abc' }));
    expect(await send()).toEqual({ kind: 'accepted', messageId: '0100-abc' });
  });

  it('is refused by the name of an error, whatever its text', async () => {
    respond = answering(400, '{"message":{"toString":1}}', 'MessageRejected');
    expect(await send()).toEqual({ kind: 'refused', providerCode: 'MessageRejected' });
  });
});

describe('an operator', () => {
  const noticesOf = async (answer: RequestListener) => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    respond = answer;
    await send();
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    return lines.filter(({ _aws }) => _aws).map((line) => [line._aws.CloudWatchMetrics[0].Metrics[0].Name, line]);
  };

  it('gets an alarm with the error of SES', async () => {
    const line = {
      level: 'ERROR',
      provider_code: 'AccessDeniedException',
      error: expect.objectContaining({ message: 'No.', http_status: 400, aws_request_id: 'SES1' }),
      ProviderRefused: 1,
    };
    const notices = await noticesOf(answering(400, json, 'AccessDeniedException'));
    expect(notices).toEqual([['ProviderRefused', expect.objectContaining(line)]]);
  });

  it('gets no alarm for what is retried, nor for an unknown outcome', async () => {
    expect(await noticesOf(answering(429, json, 'TooManyRequestsException'))).toEqual([]);
    expect(await noticesOf(answering(500, json, 'InternalFailure'))).toEqual([]);
  });
});

describe('a message with an unknown outcome', () => {
  it.each([
    ['500 InternalFailure', answering(500, json, 'InternalFailure')],
    ['503 ServiceUnavailable', answering(503, json, 'ServiceUnavailable')],
    ['503 with the name of a refusal', answering(503, json, 'TooManyRequestsException')],
    ['408 RequestTimeoutException', answering(408, json, 'RequestTimeoutException')],
    ['408 without a name', answering(408, '')],
    ['429 without a name', answering(429, '')],
    ['400 without a name', answering(400, '{}')],
    ['400 of a proxy', answering(400, '<html>Bad request</html>')],
    ['404 of a proxy', answering(404, '<html>Not found</html>', 'SomethingElse')],
    ['502', answering(502, '<html>Bad gateway</html>')],
    ['504', answering(504, '')],
    ['a redirect', answering(302, '')],
    ['200 with nothing', answering(200, '')],
    ['200 with an empty object', answering(200, '{}')],
    ['200 with an empty id', answering(200, '{"MessageId":""}')],
    ['200 with an id that is a number', answering(200, '{"MessageId":5}')],
    ['200 with an id that is an object', answering(200, '{"MessageId":{}}')],
    ['200 with garbage', answering(200, '<html>Welcome to the hotel</html>')],
    ['200 with half of the truth', answering(200, '{"MessageId":"0100')],
    ['a broken connection', (request) => request.socket.destroy()],
    ['no HTTP', (request) => request.socket.end('220 mail.example.com ESMTP\r\n')],
  ] as [string, RequestListener][])('is unknown: %s', async (_name, listener) => {
    respond = listener;
    expect(await send()).toEqual({ kind: 'unknown', providerCode: expect.any(String) });
  });
});

describe('a message that was never sent', () => {
  const sendTo = async (endpoint: string) => {
    process.env.AWS_ENDPOINT_URL_SESV2 = endpoint;
    jest.resetModules();
    const fresh = await import('../../../shared/email/ses.ts');
    return fresh.sendEnvelope({
      recipients: ['ada@example.net'],
      mime: mimeOf(Buffer.from('')),
      tags: [],
      tracking: { opens: true, clicks: true },
    });
  };

  it('may be sent again: the port is closed', async () => {
    const gone = await startProvider();
    await gone.stop();
    expect(await sendTo(gone.endpoint)).toEqual({ kind: 'deferred', providerCode: 'ECONNREFUSED' });
  });

  it('may be sent again: the TLS handshake broke', async () => {
    const listener = await startListener((socket) => socket.once('data', () => socket.destroy()), 'https');
    expect(await sendTo(listener.endpoint)).toMatchObject({ kind: 'deferred' });
    await listener.stop();
  });

  it('has met an obstacle when there are no credentials to sign it with', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    process.env.AWS_EC2_METADATA_DISABLED = 'true';
    expect(await sendTo(provider.endpoint)).toEqual({ kind: 'obstacle', providerCode: 'CredentialsProviderError' });
  });
});

describe('a message in many pieces', () => {
  it('is sent as one in a single piece, byte for byte, with its length and the hash that is signed', async () => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SESV2: provider.endpoint,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    const bodies: { body: string; length: string | undefined; hash: unknown }[] = [];
    respond = (request, response) => {
      const { 'content-length': length, 'x-amz-content-sha256': hash } = request.headers;
      bodies.push({ body: lastBody, length, hash });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"MessageId":"m"}');
    };
    const whole = randomBytes(100_001);
    /** All of them in one buffer, as a large message has them. */
    const inPieces = (...ends: number[]): LargeMime => ({
      length: whole.length,
      isLarge: true,
      *pieces() {
        const shared = Buffer.alloc(whole.length);
        for (const [index, start] of [0, ...ends].entries()) {
          yield shared.subarray(0, whole.copy(shared, 0, start, ends[index]));
        }
      },
    });
    for (const mime of [mimeOf(whole), inPieces(1, 2, 50_002, 50_004, 50_004), inPieces(30_000, 60_000), inPieces()]) {
      const envelope = { recipients: ['ada@example.net'], tags: [], tracking: { opens: false, clicks: false } };
      expect(await sendEnvelope({ ...envelope, mime })).toEqual({ kind: 'accepted', messageId: 'm' });
    }
    const [one, ...others] = bodies;
    expect(JSON.parse(one?.body ?? '').Content.Raw.Data).toBe(whole.toString('base64'));
    for (const { body, length, hash } of others) {
      expect(body === one?.body).toBe(true);
      expect(Number(length)).toBe(Buffer.byteLength(body));
      expect(hash).toBe(createHash('sha256').update(body).digest('hex'));
    }
  });
});
