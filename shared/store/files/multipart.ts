import { ask, type FileRequest, requestOf, textOf } from './bucket.ts';
import { putFile } from './put.ts';

/** Above the 5 MB that S3 asks of every part but the last; 10,000 of them are 80 GB. */
const partBytes = 8_000_000;

/**
 * Writes a file of unknown length as it is made, with a part of it in memory; its bytes. It appears whole or not at all:
 * what is left of one that broke off the bucket's rules take away within a day. Being done again is no harm.
 */
export async function putStream(key: string, content: AsyncIterable<string>, contentType: string): Promise<number> {
  const etags: string[] = [];
  let upload: string | null = null;
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    upload ??= await begin(key, contentType);
    etags.push(await putPart(key, upload, etags.length + 1, Buffer.concat(waiting)));
    waiting = [];
    waitingBytes = 0;
  };
  for await (const text of content) {
    const piece = Buffer.from(text);
    waiting.push(piece);
    waitingBytes += piece.length;
    bytes += piece.length;
    if (waitingBytes >= partBytes) await flush();
  }
  if (etags.length === 0) {
    await putFile(key, Buffer.concat(waiting), contentType);
    return bytes;
  }
  if (waitingBytes > 0) await flush();
  if (upload !== null) await complete(key, upload, etags);
  return bytes;
}

async function begin(key: string, contentType: string): Promise<string> {
  const request = await requestOf('POST', key, { headers: { 'content-type': contentType }, query: { uploads: '' } });
  const answer = await textOf(await ask(request, null, [200]));
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(answer)?.[1];
  if (id === undefined) throw new Error('The bucket began an upload without an id.');
  return id;
}

async function putPart(key: string, uploadId: string, partNumber: number, bytes: Buffer): Promise<string> {
  const query = { partNumber: String(partNumber), uploadId };
  const headers = { 'content-length': String(bytes.length) };
  const answer = await ask(await requestOf('PUT', key, { headers, query }), bytes, [200]);
  await textOf(answer);
  return String(answer.headers.etag);
}

/** A 200 may hold an error: S3 answers before it has put the parts together (API Reference, CompleteMultipartUpload). */
async function complete(key: string, uploadId: string, etags: readonly string[]): Promise<void> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) };
  const request: FileRequest = await requestOf('POST', key, { headers, query: { uploadId } });
  const answer = await textOf(await ask(request, body, [200]));
  if (answer.includes('<Error>')) throw new Error('The bucket could not put the parts of a file together.');
}
