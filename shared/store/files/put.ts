import { bytesIn, type Chunks } from '../../platform/memory/chunks.ts';
import { ask, type FileBody, requestOf, textOf } from './bucket.ts';

/** Writes a file, in place of one that has its key. It is on AWS's disks when this returns. */
export const putFile = (key: string, bytes: Uint8Array, contentType = 'application/octet-stream'): Promise<void> =>
  put(key, bytes, contentType);

/** Writes a file of many pieces without putting them together. */
export const putChunks = (key: string, chunks: Chunks): Promise<void> =>
  put(key, { length: bytesIn(chunks), pieces: () => chunks }, 'application/octet-stream');

async function put(key: string, body: FileBody, contentType: string): Promise<void> {
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  await textOf(await ask(await requestOf('PUT', key, { headers }), body, [200]));
}
