import { mimeOf } from '../../../../../shared/email/mime/mimeParts.ts';
import { sendEnvelope } from '../../../../../shared/email/sendEnvelope.ts';
import { setRight, signingDateAt } from '../../../../../shared/platform/aws/signing/serverClock.ts';
import { takeSettings } from '../../../../../shared/platform/config.ts';
import { SqsClient } from '../../../../../shared/queue/sqs/client.ts';
import { DocumentClient } from '../../../../../shared/store/dynamodb/client.ts';
import { GetCommand } from '../../../../../shared/store/dynamodb/commands.ts';
import { ask, requestOf } from '../../../../../shared/store/files/bucket.ts';
import { presignPut } from '../../../../../shared/store/files/presign.ts';
import { presignGet } from '../../../../../shared/store/files/presignGet.ts';
import { byAnotherClock, type Script, startJsonServer, tell } from '../jsonServer.ts';

const hour = 3_600_000;
let aws: Awaited<ReturnType<typeof startJsonServer>>;
const documents = new DocumentClient();
const sqs = new SqsClient();

beforeAll(async () => {
  aws = await startJsonServer();
  takeSettings({
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_REGION: 'us-east-1',
    CONFIGURATION_SET: 'mail',
    FILES_BUCKET: 'files',
  });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
});
afterAll(async () => {
  documents.destroy();
  sqs.destroy();
  await aws.stop();
});

const granted: Script = (response) => tell(response, { MessageId: 'm' });
const refused =
  (status: number, name: string): Script =>
  (response) =>
    tell(response, { message: 'Signature expired' }, status, { 'x-amzn-errortype': name });
const signatureRefused = refused(403, 'InvalidSignatureException');

/** How many requests it takes. */
const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = aws.heard.length;
  await work();
  return aws.heard.length - before;
};
const send = () =>
  sendEnvelope({
    recipients: ['ada@example.net'],
    mime: mimeOf(Buffer.from('Subject: Hi\r\n\r\nHi.')),
    tags: [],
    tracking: { opens: false, clicks: false },
  });
const read = () => documents.send(new GetCommand({ TableName: 'test', Key: { pk: 'a' } }));
const accepted = { kind: 'accepted', messageId: 'm' };

/** The time of a signature (`20261122T093000Z`). */
const timeOf = (signed: string | null | undefined): number =>
  Date.parse(String(signed).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));

describe('a wrong clock', () => {
  it('signs no request of the bucket, nor an address in it', async () => {
    aws.answerBy(byAnotherClock(hour, granted, signatureRefused));
    await read();
    await ask(await requestOf('PUT', 'file'), Buffer.from('{}'), [200]);
    const file = { bytes: 1, contentType: 'text/plain', sha256: null };
    const { url: upload } = await presignPut('file', file, { now: new Date(), expiresInSeconds: 60 });
    const download = await presignGet('file', { saveAs: 'file.txt', now: new Date() });
    const dates = [upload, download].map((url) => new URL(url).searchParams.get('X-Amz-Date'));
    const minute = 60_000;
    for (const signed of [aws.heard.at(-1)?.headers['x-amz-date'] as string, ...dates]) {
      expect(Math.abs(timeOf(signed) - (Date.now() + hour))).toBeLessThan(minute);
    }
    aws.answerBy(byAnotherClock(0, granted, signatureRefused));
    await read();
  });

  it('that one service told of is wrong for none of the others', async () => {
    for (const ahead of [hour, 0]) {
      aws.answerBy(byAnotherClock(ahead, granted, signatureRefused));
      expect(await requestsOf(read)).toBe(2);
      expect(await requestsOf(async () => expect(await send()).toEqual(accepted))).toBe(1);
      expect(await requestsOf(() => sqs.call('AmazonSQS.GetQueueUrl', { QueueName: 'queue' }))).toBe(1);
    }
  });

  it('costs no message: each that was refused for its signature is sent once more', async () => {
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
    await read();
  });

  it('is not told of by whoever fails at a request, and did not refuse it', async () => {
    aws.answerBy(byAnotherClock(hour, granted, refused(500, 'InternalFailure')));
    await send();
    expect(Math.abs(signingDateAt(Date.now()).getTime() - Date.now())).toBeLessThan(hour / 2);
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

  it.each([
    [59_000, true],
    [61_000, false],
  ])('is told of by a refusal that is read %i ms after it was asked for: %s', (milliseconds, isTold) => {
    const now = Date.now();
    const before = signingDateAt(now).getTime();
    const [signedAt, told] = [now - milliseconds, before + 7 * hour - milliseconds];
    const refusal = { signedAt, signingDate: signingDateAt(signedAt), headers: { date: new Date(told).toUTCString() } };
    expect(setRight(refusal)).toBe(isTold);
    expect(signingDateAt(now).getTime() - before > hour).toBe(isTold);
  });

  it('is our own again when it is so nearly right that it does no harm', () => {
    const now = Date.now();
    const headers = { date: new Date(now - 30_000).toUTCString() };
    expect(setRight({ signedAt: now, signingDate: new Date(now + 7 * hour), headers })).toBe(true);
    expect(signingDateAt(now)).toEqual(new Date(now));
  });
});
