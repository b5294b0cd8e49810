import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mimeOf } from '../../../../shared/email/mime/mimeParts.ts';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import { askSigned } from '../../../../shared/platform/aws/signedCall.ts';
import { Transport } from '../../../../shared/platform/aws/transport.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { startProvider, type TestProvider } from './provider.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
Object.assign(process.env, {
  AWS_REGION: 'eu-west-3',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  CONFIGURATION_SET: 'mail',
});

/** What a request says of its signature, and what the signature is by the letter of the rule. */
interface Seen {
  readonly path: string;
  readonly scope: string;
  readonly signedHeaders: readonly string[];
  readonly given: string;
  readonly computed: string;
}

let provider: TestProvider;
let seen: Seen[] = [];

beforeAll(async () => {
  provider = await startProvider((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(judged(request, Buffer.concat(chunks)));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"MessageId":"1"}');
    });
  });
  process.env.AWS_ENDPOINT_URL_SESV2 = provider.endpoint;
  process.env.AWS_ENDPOINT_URL_SQS = provider.endpoint;
});
afterAll(() => provider.stop());
beforeEach(() => {
  seen = [];
});

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/**
 * Signature version 4, of what arrived: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * (canonical request, string to sign, signing key, signature).
 */
function judged(request: IncomingMessage, body: Buffer): Seen {
  const [, scope = '', names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  const signedHeaders = names.split(';');
  const canonical = [
    request.method,
    request.url,
    '',
    ...signedHeaders.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const computed = hmac(key, toSign).toString('hex');
  return { path: request.url ?? '', scope: scope.replace(/^\d{8}/, 'DATE'), signedHeaders, given, computed };
}

const isSignedFor = (service: string) => {
  expect(seen).toHaveLength(1);
  const [{ given, computed, scope, signedHeaders }] = seen as [Seen];
  expect(given).toBe(computed);
  expect(scope).toBe(`DATE/eu-west-3/${service}/aws4_request`);
  expect(signedHeaders).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token']));
};

it('is judged here as the SDK signs', async () => {
  const client = new SESv2Client({ ...connection(), credentials });
  await client.send(new GetAccountCommand({}));
  const Data = Buffer.from('Subject: é\r\n\r\nHi.');
  await client.send(new SendEmailCommand({ Content: { Raw: { Data } } }));
  client.destroy();
  expect(seen.map(({ given, computed }) => given === computed)).toEqual([true, true]);
  expect(seen[1]).toMatchObject({ path: '/v2/email/outbound-emails', scope: 'DATE/eu-west-3/ses/aws4_request' });
});

it('signs a message in one piece', async () => {
  const { sendEnvelope } = await import('../../../../shared/email/sendEnvelope.ts');
  const mime = mimeOf(Buffer.from('Subject: Hi\r\n\r\nHé.'));
  const tracking = { opens: false, clicks: false };
  expect(await sendEnvelope({ recipients: ['ada@example.net'], mime, tags: [], tracking })).toMatchObject({
    kind: 'accepted',
  });
  isSignedFor('ses');
  expect(seen[0]?.path).toBe('/v2/email/outbound-emails');
});

it('signs a body in pieces as what it is when it has gone out', async () => {
  const pieces = ['{"a":', '"é', '"}'].map((text) => Buffer.from(text));
  const { requestHandler } = connection();
  const { status } = await askSigned(requestHandler, {
    service: 'ses',
    path: '/v2/email/outbound-emails',
    headers: { 'content-type': 'application/json' },
    body: { length: Buffer.concat(pieces).length, pieces: () => pieces },
  });
  expect(status).toBe(200);
  isSignedFor('ses');
});

it('asks beneath the path of an endpoint, as the SDK does', async () => {
  const endpoint = `${provider.endpoint}/a-proxy/of_mine`;
  const client = new SESv2Client({ ...connection(), credentials, endpoint });
  await client.send(new SendEmailCommand({ Content: { Raw: { Data: Buffer.from('Hi.') } } }));
  client.destroy();
  takeSettings({ AWS_ENDPOINT_URL_SESV2: endpoint });
  const request = { service: 'ses', path: '/v2/email/outbound-emails', headers: {}, body: Buffer.from('{}') } as const;
  await askSigned(connection().requestHandler, request);
  takeSettings({ AWS_ENDPOINT_URL_SESV2: provider.endpoint });
  expect(seen.map(({ path }) => path)).toEqual(Array(2).fill('/a-proxy/of_mine/v2/email/outbound-emails'));
  expect(seen.map(({ given, computed }) => given === computed)).toEqual([true, true]);
});

const gone = async (answer: Readable) => {
  await once(answer.destroy(), 'close');
  return answer;
};
const half = async () => {
  const answer = new Readable({ read: () => {} });
  answer.push('{"half');
  setTimeout(() => answer.destroy(), 20);
  return answer;
};
it.each([
  ['before it is read', gone],
  ['in the midst of it, without a word', half],
])('fails when nothing comes any more of the answer that it has to read: gone %s', async (_when, lost) => {
  class Losing extends Transport {
    override async handle(...request: Parameters<Transport['handle']>) {
      const answer = await super.handle(...request);
      answer.response.body = await lost(answer.response.body as Readable);
      return answer;
    }
  }
  const phases = { waiting: 1000, connecting: 1000, answering: 1000, reading: 1000 };
  const losing = new Losing({ connections: 1, idle: 1000, ...phases });
  const request = { service: 'ses', path: '/', headers: {}, body: Buffer.from('{}') } as const;
  await expect(askSigned(losing, request)).rejects.toMatchObject({ code: 'ECONNRESET' });
  losing.destroy();
});

it('signs a call of SQS', async () => {
  const { sqs } = await import('../../../../shared/queue/sqs/client.ts');
  await sqs.call('AmazonSQS.SendMessage', { QueueUrl: 'https://queue', MessageBody: 'é' });
  isSignedFor('sqs');
  expect(seen[0]?.signedHeaders).toContain('x-amz-target');
});
