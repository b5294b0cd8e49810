import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { mimeOf } from '../../../../../shared/email/mime/mimeParts.ts';
import { failureOf, type Script, startJsonServer, tell, waitingTheirPart } from '../jsonServer.ts';
import { startProvider } from '../provider.ts';

let aws: Awaited<ReturnType<typeof startJsonServer>>;
let folder: string;

beforeAll(async () => {
  aws = await startJsonServer();
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterAll(async () => {
  await aws.stop();
  await rm(folder, { recursive: true });
});

/** A process that has just started, whose credentials are in a file. */
async function freshProcess() {
  jest.resetModules();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) delete process.env[name];
  Object.assign(process.env, {
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
    CONFIGURATION_SET: 'mail',
  });
  await signIn('FIRST');
  const { sendEnvelope } = await import('../../../../../shared/email/sendEnvelope.ts');
  const { SqsClient } = await import('../../../../../shared/queue/sqs/client.ts');
  const { DocumentClient } = await import('../../../../../shared/store/dynamodb/client.ts');
  const { GetCommand } = await import('../../../../../shared/store/dynamodb/commands.ts');
  const { withDeadline } = await import('../../../../../shared/platform/deadline.ts');
  const [documents, sqs] = [new DocumentClient(), new SqsClient()];
  const envelope = { recipients: ['ada@example.net'], tags: [], tracking: { opens: false, clicks: false } };
  return {
    withDeadline,
    send: () => sendEnvelope({ ...envelope, mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')) }),
    read: () => documents.send(new GetCommand({ TableName: 'test', Key: { pk: 'a' } })),
    queue: () => sqs.call('AmazonSQS.GetQueueUrl', { QueueName: 'queue' }),
  };
}

const signIn = (key: string) =>
  keep(`[default]\naws_access_key_id = ${key}\naws_secret_access_key = secret\naws_session_token = token-of-${key}\n`);

/** Whoever reads it meanwhile reads all of it, or all of what was there before. */
async function keep(text: string): Promise<void> {
  const written = join(folder, randomUUID());
  await writeFile(written, text);
  await rename(written, join(folder, 'credentials'));
}

const granted: Script = (response) => tell(response, { MessageId: 'm' });
const refused =
  (status: number, name: string): Script =>
  (response) =>
    tell(response, { __type: `com.amazon.coral.service#${name}`, message: 'No.' }, status, {
      'x-amzn-errortype': name,
    });

/** Whose requests it heard, by the key that signed them. */
const keysHeard = () =>
  aws.heard.map(({ headers }) => /Credential=(\w+)\//.exec(headers.authorization ?? '')?.[1] ?? 'nobody');

/** Refuses what the first key signed, after it has been replaced by another. */
const replacedBy =
  (key: string, refusal: Script): Script =>
  async (response, heard, request) => {
    const isFirst = String(heard.headers.authorization).includes('Credential=FIRST/');
    if (isFirst) await signIn(key);
    (isFirst ? refusal : granted)(response, heard, request);
  };

const accepted = { kind: 'accepted', messageId: 'm' };

describe('credentials that AWS refuses', () => {
  const names = ['ExpiredTokenException', 'ExpiredToken', 'UnrecognizedClientException', 'InvalidClientTokenId'];

  it.each(names)('%s: others are found, and the message is sent once more by them', async (name) => {
    const { send } = await freshProcess();
    aws.answerBy(replacedBy('SECOND', refused(403, name)));
    expect(await send()).toEqual(accepted);
    expect(await send()).toEqual(accepted);
    expect(keysHeard()).toEqual(['FIRST', 'SECOND', 'SECOND']);
  });

  it('are looked for once for all messages that were under way, each of which is sent once more', async () => {
    const { send } = await freshProcess();
    aws.answerBy(replacedBy('SECOND', refused(403, 'ExpiredTokenException')));
    expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array(20).fill(accepted));
    const heard = keysHeard();
    expect(heard.filter((key) => key === 'SECOND')).toHaveLength(20);
    expect(heard.filter((key) => key === 'FIRST').length).toBeLessThanOrEqual(20);
  });

  it('hold up none of the other services for longer', async () => {
    for (const service of ['read', 'queue'] as const) {
      waitingTheirPart(0);
      const { [service]: call } = await freshProcess();
      aws.answerBy(replacedBy('SECOND', refused(400, 'ExpiredTokenException')));
      await call();
      expect(keysHeard()).toEqual(['FIRST', 'SECOND']);
      jest.restoreAllMocks();
    }
  });

  it('are not used again when there are no others, nor looked for at each message', async () => {
    const { send } = await freshProcess();
    aws.answerBy(refused(403, 'ExpiredTokenException'));
    const outcome = { kind: 'obstacle', providerCode: 'ExpiredTokenException' };
    expect(await send()).toEqual(outcome);
    // Nobody has looked since: a search was just made.
    await signIn('SECOND');
    expect(await send()).toEqual(outcome);
    expect(keysHeard()).toEqual(['FIRST', 'FIRST']);
  });

  it('are no reason to send a message a third time', async () => {
    const { send } = await freshProcess();
    aws.answerBy(async (...asked) => {
      await signIn(`OTHER${aws.heard.length}`);
      refused(403, 'ExpiredTokenException')(...asked);
    });
    expect(await send()).toEqual({ kind: 'obstacle', providerCode: 'ExpiredTokenException' });
    expect(keysHeard()).toEqual(['FIRST', 'OTHER1']);
  });

  it.each<[string, Script]>([
    ['that may have been taken', refused(408, 'RequestTimeoutException')],
    ['that the provider failed at', refused(500, 'ExpiredTokenException')],
    ['of which nothing is said', (response) => response.writeHead(403).end('<html>')],
  ])('are no reason to send a message again %s', async (_name, failed) => {
    const { send } = await freshProcess();
    aws.answerBy(replacedBy('SECOND', failed));
    expect(await send()).toMatchObject({ kind: 'unknown' });
    expect(keysHeard()).toEqual(['FIRST']);
  });

  it.each([
    ['that itself was refused', 'MessageRejected', 'refused'],
    ['that this deployment may not send', 'AccessDeniedException', 'obstacle'],
  ])('are not looked for because of a message %s', async (_name, name, kind) => {
    const { send } = await freshProcess();
    aws.answerBy(replacedBy('SECOND', refused(403, name)));
    expect(await send()).toEqual({ kind, providerCode: name });
    expect(keysHeard()).toEqual(['FIRST']);
  });

  it('are no reason to begin what would have no time for its answer: it was certainly not taken, and stays so', async () => {
    const { send, withDeadline } = await freshProcess();
    aws.answerBy(replacedBy('SECOND', refused(403, 'ExpiredTokenException')));
    const outcome = { kind: 'obstacle', providerCode: 'ExpiredTokenException' };
    expect(await withDeadline(9_000, send)).toEqual(outcome);
    expect(keysHeard()).toEqual(['FIRST']);
  });
});

describe('credentials that do not come', () => {
  /** Whoever gives them says nothing, until the test is over. */
  async function silence() {
    const asked: ServerResponse[] = [];
    const giver = await startProvider((_request, response) => void asked.push(response));
    const fresh = await freshProcess();
    await keep('');
    process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = giver.endpoint;
    return {
      ...fresh,
      end: async () => {
        expect(asked).toHaveLength(1);
        const given = {
          AccessKeyId: 'LATE',
          SecretAccessKey: 'secret',
          Token: 't',
          Expiration: '2099-01-01T00:00:00Z',
        };
        for (const response of asked) response.end(JSON.stringify(given));
        delete process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
        await giver.stop();
      },
    };
  }

  it('are waited for until the time of the call is over: nothing of the message has left', async () => {
    const { send, withDeadline, end } = await silence();
    aws.answerBy(granted);
    expect(await withDeadline(300, send)).toEqual({ kind: 'deferred', providerCode: 'DeadlineExceeded' });
    expect(aws.heard).toHaveLength(0);
    await end();
  });

  it('hold up no other service beyond its time', async () => {
    const { read, withDeadline, end } = await silence();
    aws.answerBy(granted);
    expect(await failureOf(withDeadline(300, read))).toMatchObject({ name: 'DeadlineExceeded', neverSent: true });
    expect(aws.heard).toHaveLength(0);
    await end();
  });
});

describe('what AWS quotes of a request that it refuses', () => {
  const quoted = [
    'The Canonical String for this request should have been',
    "'POST\n/\n\nhost:dynamodb\nx-amz-security-token:IQoJb3JpZ2luX2Vj\n\nhost;x-amz-security-token\nabc'",
    `Authorization=AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122, SignedHeaders=host, Signature=${'0f'.repeat(32)}`,
  ].join('\n');

  it.each(['read', 'queue'] as const)('is in no error: neither the token nor the signature (%s)', async (service) => {
    const { [service]: call } = await freshProcess();
    aws.answerBy((response) => tell(response, { __type: 'x#IncompleteSignature', message: quoted }, 403));
    const error = await failureOf(call());
    expect(error).toMatchObject({ name: 'IncompleteSignature', message: expect.stringContaining('Canonical String') });
    const all = [error.message, error.stack, JSON.stringify(error)].join('\n');
    for (const secret of ['IQoJb3JpZ2luX2Vj', '0f0f0f0f', 'token-of-FIRST']) expect(all).not.toContain(secret);
  });

  it('is in no line of the log that tells of a message', async () => {
    const { send } = await freshProcess();
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    aws.answerBy((response) => tell(response, { message: quoted }, 403, { 'x-amzn-errortype': 'IncompleteSignature' }));
    await send();
    const lines = write.mock.calls.map(([line]) => String(line)).join('');
    write.mockRestore();
    expect(lines).toContain('Canonical String');
    for (const secret of ['IQoJb3JpZ2luX2Vj', '0f0f0f0f', 'token-of-FIRST']) expect(lines).not.toContain(secret);
  });
});
