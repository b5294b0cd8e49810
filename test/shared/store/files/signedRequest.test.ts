import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { getFile, presignGet, presignPut, putFile } from '../../../../shared/store/files/bucket.ts';
import { documents } from '../../../../shared/store/table/table.ts';
import { byAnotherClock, type Script, startJsonServer, tell } from '../../platform/aws/jsonServer.ts';

const hour = 3_600_000;
let aws: Awaited<ReturnType<typeof startJsonServer>>;

beforeAll(async () => {
  aws = await startJsonServer();
  const settings = { AWS_ENDPOINT_URL: aws.endpoint, AWS_REGION: 'us-east-1', FILES_BUCKET: 'files' };
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', ...settings });
  takeSettings(settings);
});
afterAll(() => aws.stop());

/** The time of a signature (`20261122T093000Z`). */
const timeOf = (signed: string | null | undefined): number =>
  Date.parse(String(signed).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));

it('a clock that DynamoDB has set right signs the requests of the bucket, and the URLs of its files', async () => {
  const granted = byAnotherClock(
    hour,
    (response) => tell(response, {}),
    (response) => tell(response, { __type: 'InvalidSignatureException' }, 400),
  );
  aws.answerBy(granted);
  await documents.send(new GetCommand({ TableName: 'test', Key: { pk: 'a', sk: 'b' } }));
  await putFile('file', Buffer.from('{}'));
  const file = { bytes: 1, contentType: 'text/plain', sha256: null };
  const { url: upload } = await presignPut('file', file, { now: new Date(), expiresInSeconds: 60 });
  const download = await presignGet('file', { saveAs: 'file.txt', now: new Date() });
  const dates = [upload, download].map((url) => new URL(url).searchParams.get('X-Amz-Date'));
  for (const signed of [aws.heard.at(-1)?.headers['x-amz-date'] as string, ...dates]) {
    expect(Math.abs(timeOf(signed) - (Date.now() + hour))).toBeLessThan(60_000);
  }
});

/** S3's form of a refusal. */
const refuse =
  (status: number, code: string): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
const found: Script = (response) => void response.writeHead(200, { 'content-length': '2' }).end('{}');

/** The first answers, then another one for good. */
function inTurn(first: readonly Script[], then: Script): void {
  const left = [...first];
  aws.answerBy((...heard) => (left.shift() ?? then)(...heard));
}

describe('a refusal of the bucket', () => {
  it.each([
    [500, 'InternalError'],
    [503, 'SlowDown'],
    [400, 'RequestTimeout'],
    [409, 'OperationAborted'],
    [400, 'ExpiredToken'],
    [403, 'RequestTimeTooSkewed'],
  ])('%i %s is asked again', async (status, code) => {
    inTurn([refuse(status, code)], found);
    expect(String(await getFile('file'))).toBe('{}');
    expect(aws.heard).toHaveLength(2);
  });

  it('404 is a missing file when S3 says so, and only then', async () => {
    inTurn([], refuse(404, 'NoSuchKey'));
    expect(await getFile('file')).toBeNull();
    expect(aws.heard).toHaveLength(1);
    inTurn([], refuse(404, 'NoSuchBucket'));
    await expect(getFile('file')).rejects.toThrow('404 NoSuchBucket');
    inTurn([(response) => void response.writeHead(404).end('<html>')], found);
    expect(String(await getFile('file'))).toBe('{}');
  });

  it('403 for want of permission is not asked again', async () => {
    inTurn([], refuse(403, 'AccessDenied'));
    await expect(getFile('file')).rejects.toThrow('403 AccessDenied');
    expect(aws.heard).toHaveLength(1);
  });

  it('for a wrong clock sets it right', async () => {
    aws.answerBy(byAnotherClock(2 * hour, found, refuse(403, 'RequestTimeTooSkewed')));
    expect(String(await getFile('file'))).toBe('{}');
    expect(aws.heard).toHaveLength(2);
  });
});
