import { jest } from '@jest/globals';
import { mimeOf } from '../../../shared/email/mime.ts';
import { byAnotherClock, type Script, startJsonServer, tell } from '../platform/aws/jsonServer.ts';
import { startProvider } from '../platform/aws/provider.ts';

const hour = 3_600_000;
let aws: Awaited<ReturnType<typeof startJsonServer>>;
let send: () => Promise<unknown>;
let withDeadline: typeof import('../../../shared/platform/deadline.ts').withDeadline;

beforeAll(async () => {
  aws = await startJsonServer();
});
afterAll(() => aws.stop());

/** A client in a process that has just started. */
beforeEach(async () => {
  jest.resetModules();
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'token-of-session',
    AWS_ENDPOINT_URL_SESV2: aws.endpoint,
    AWS_REGION: 'us-east-1',
    CONFIGURATION_SET: 'mail',
  });
  ({ withDeadline } = await import('../../../shared/platform/deadline.ts'));
  const { sendEnvelope } = await import('../../../shared/email/ses.ts');
  send = () =>
    sendEnvelope({
      recipients: ['ada@example.net'],
      mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')),
      tags: [],
      tracking: { opens: false, clicks: false },
    });
});

const granted: Script = (response) => tell(response, { MessageId: 'm' });
const refused =
  (status: number, name: string): Script =>
  (response) =>
    tell(response, { message: 'Signature expired' }, status, { 'x-amzn-errortype': name });
const signatureRefused = refused(403, 'InvalidSignatureException');
const accepted = { kind: 'accepted', messageId: 'm' };

/** How many requests it takes. */
const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = aws.heard.length;
  await work();
  return aws.heard.length - before;
};

describe('a wrong clock', () => {
  it('costs no message: one that is refused for its signature is sent once more', async () => {
    for (const ahead of [-hour, 0]) {
      aws.answerBy(byAnotherClock(ahead, granted, signatureRefused));
      const sent = async () => expect(await Promise.all([send(), send(), send()])).toEqual(Array(3).fill(accepted));
      expect(await requestsOf(sent)).toBe(6);
    }
  });

  it.each([
    ['that may have been taken', refused(408, 'RequestTimeoutException')],
    ['that the provider failed at', refused(500, 'InternalFailure')],
  ])('is no reason to send a message again %s', async (_name, failed) => {
    aws.answerBy(byAnotherClock(hour, granted, failed));
    expect(await requestsOf(async () => expect(await send()).toMatchObject({ kind: 'unknown' }))).toBe(1);
    aws.answerBy(byAnotherClock(0, granted, signatureRefused));
    await send();
  });

  it('is no reason to send a message a third time', async () => {
    let ahead = 0;
    aws.answerBy((...request) => {
      ahead += 2 * hour;
      byAnotherClock(ahead, granted, signatureRefused)(...request);
    });
    const outcome = { kind: 'obstacle', providerCode: 'InvalidSignatureException' };
    expect(await requestsOf(async () => expect(await send()).toEqual(outcome))).toBe(2);
  });

  it('does not start a second request without time for its answer', async () => {
    aws.answerBy(byAnotherClock(hour, granted, signatureRefused));
    const outcome = { kind: 'obstacle', providerCode: 'InvalidSignatureException' };
    expect(await requestsOf(async () => expect(await withDeadline(9_000, send)).toEqual(outcome))).toBe(1);
  });
});

describe('credentials that do not arrive', () => {
  it('are waited for until the deadline, and nothing of the message is sent', async () => {
    const silent = await startProvider(() => {});
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) delete process.env[name];
    process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = silent.endpoint;
    aws.answerBy(granted);
    expect(await withDeadline(300, send)).toEqual({ kind: 'deferred', providerCode: 'DeadlineExceeded' });
    expect(aws.heard).toHaveLength(0);
    delete process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
    await silent.stop();
  });
});

describe("the quote of a refused request in AWS's answer", () => {
  const quoted = [
    'The Canonical String for this request should have been',
    "'POST\n/\n\nhost:dynamodb\nx-amz-security-token:IQoJb3JpZ2luX2Vj\n\nhost;x-amz-security-token\nabc'",
    `Authorization=AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122, SignedHeaders=host, Signature=${'0f'.repeat(32)}`,
  ].join('\n');

  it('is in no log line about a message', async () => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    aws.answerBy((response) => tell(response, { message: quoted }, 403, { 'x-amzn-errortype': 'IncompleteSignature' }));
    await send();
    const lines = write.mock.calls.map(([line]) => String(line)).join('');
    write.mockRestore();
    expect(lines).toContain('Canonical String');
    for (const secret of ['IQoJb3JpZ2luX2Vj', '0f0f0f0f', 'token-of-session']) expect(lines).not.toContain(secret);
  });
});
