import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { closeServer, listenLocally } from '../../../../infra/local/engine/engine.ts';
import {
  deleteBody,
  filesOfWorkspace,
  getBody,
  getFile,
  listFiles,
  presignPut,
  putBody,
  uploadKey,
} from '../../../../shared/store/files/bucket.ts';
import { startTestBucket } from './testBucket.ts';

let bucket: Awaited<ReturnType<typeof startTestBucket>>;
beforeAll(async () => {
  bucket = await startTestBucket();
});
afterAll(() => bucket.stop());

const workspaceId = 'ws_01k9zq3v5c8r2m4n6p7s9t0wxy';
const file = { bytes: 5, contentType: 'text/plain', sha256: null };
const forAnHour = () => ({ now: new Date(), expiresInSeconds: 3600 });

/** Its length is what it is, whatever is said: `fetch` writes that header by itself. */
const send = (url: string, { 'content-length': _, ...headers }: Readonly<Record<string, string>>, body: string) =>
  fetch(url, { method: 'PUT', headers, body });

/** The code of S3's error, with its status. */
async function refusal(answer: Response): Promise<string> {
  return `${answer.status} ${/<Code>(\w+)</.exec(await answer.text())?.[1]}`;
}

describe('a body of an email that goes out later', () => {
  it('comes back byte for byte, and is gone when it was deleted', async () => {
    const bytes = randomBytes(3_000_000);
    await putBody(workspaceId, 'email_1', [
      bytes.subarray(0, 5),
      bytes.subarray(5, 2_000_000),
      bytes.subarray(2_000_000),
    ]);
    await putBody(workspaceId, 'email_2', []);
    expect(Buffer.concat((await getBody(workspaceId, 'email_1')) ?? []).equals(bytes)).toBe(true);
    expect(await getBody(workspaceId, 'email_2')).toEqual([]);
    expect(await listFiles(`bodies/${workspaceId}/`)).toEqual(
      ['email_1', 'email_2'].map((id) => `bodies/${workspaceId}/${id}`),
    );
    await deleteBody(workspaceId, 'email_1');
    await deleteBody(workspaceId, 'email_1');
    expect(await getBody(workspaceId, 'email_1')).toBeNull();
  });

  it('lies where everything of the workspace is found', async () => {
    await putBody(workspaceId, 'email_3', [Buffer.from('x')]);
    const found = await Promise.all(filesOfWorkspace(workspaceId).map(listFiles));
    expect(found.flat()).toContain(`bodies/${workspaceId}/email_3`);
    expect((await Promise.all(filesOfWorkspace('ws_0').map(listFiles))).flat()).toEqual([]);
  });
});

describe('a presigned address', () => {
  const key = uploadKey(workspaceId, 'upl_1');

  it('takes the file that it was made for', async () => {
    const { url, headers } = await presignPut(key, file, forAnHour());
    expect((await send(url, headers, 'hello')).status).toBe(200);
    expect((await getFile(key))?.toString()).toBe('hello');
  });

  it('refuses another size, another type, another key and another method', async () => {
    const { url, headers } = await presignPut(key, file, forAnHour());
    expect(await refusal(await send(url, headers, 'hello!'))).toBe('403 SignatureDoesNotMatch');
    expect(await refusal(await send(url, { ...headers, 'content-type': 'text/html' }, 'hello'))).toBe(
      '403 SignatureDoesNotMatch',
    );
    expect(await refusal(await send(url.replace('upl_1', 'upl_2'), headers, 'hello'))).toBe(
      '403 SignatureDoesNotMatch',
    );
    expect(await refusal(await fetch(url, { headers: { 'content-type': 'text/plain' } }))).toBe(
      '403 SignatureDoesNotMatch',
    );
    expect(await refusal(await fetch(url.split('?')[0] ?? ''))).toBe('403 AccessDenied');
    expect(await getFile(uploadKey(workspaceId, 'upl_2'))).toBeNull();
  });

  it('refuses a file with another checksum than it was made for, and one without', async () => {
    const sha256 = createHash('sha256').update('hello').digest('base64');
    const { url, headers } = await presignPut(uploadKey(workspaceId, 'upl_3'), { ...file, sha256 }, forAnHour());
    expect(headers).toMatchObject({ 'x-amz-checksum-sha256': sha256 });
    const { 'x-amz-checksum-sha256': _, ...without } = headers;
    expect(await refusal(await send(url, headers, 'jello'))).toBe('400 BadDigest');
    expect(await refusal(await send(url, without, 'hello'))).toBe('403 SignatureDoesNotMatch');
    expect(await getFile(uploadKey(workspaceId, 'upl_3'))).toBeNull();
    expect((await send(url, headers, 'hello')).status).toBe(200);
  });

  it('is good until its time is over', async () => {
    const old = { now: new Date(Date.now() - 3_700_000), expiresInSeconds: 3600 };
    const { url, headers } = await presignPut(key, file, old);
    expect(await refusal(await send(url, headers, 'hello'))).toBe('403 AccessDenied');
  });

  it('leads to the bucket by its own host name where no endpoint is given', async () => {
    const endpoint = process.env.AWS_ENDPOINT_URL_S3;
    const other = { FILES_BUCKET: 'test-files', PUBLIC_URL: 'https://mail.example.com' };
    const { takeSettings } = await import('../../../../shared/platform/config.ts');
    takeSettings({ ...other, AWS_ENDPOINT_URL_S3: '' });
    try {
      const { url } = await presignPut(key, file, forAnHour());
      expect(url).toMatch(/^https:\/\/test-files\.s3\.us-east-1\.amazonaws\.com\/uploads\/ws_\w+\/upl_1\?/);
      expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    } finally {
      takeSettings({ AWS_ENDPOINT_URL_S3: endpoint });
    }
  });
});

describe('a bucket that is busy', () => {
  it('is asked again, and what it refuses for good is not', async () => {
    const { takeSettings } = await import('../../../../shared/platform/config.ts');
    const statuses = [503, 200, 403, 403];
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(statuses.shift() ?? 500).end('<Code>Reason</Code>'));
    });
    takeSettings({ AWS_ENDPOINT_URL_S3: await listenLocally(server) });
    try {
      await putBody(workspaceId, 'email_1', [Buffer.from('x')]);
      await expect(putBody(workspaceId, 'email_1', [Buffer.from('x')])).rejects.toThrow('403 Reason');
      expect(statuses).toEqual([403]);
    } finally {
      takeSettings(null);
      await closeServer(server);
    }
  });
});
