import { ask, requestOf, textOf } from './bucket.ts';

/** Writes a file, in place of one that has its key. It is on AWS's disks when this returns. */
export async function putFile(key: string, bytes: Uint8Array, contentType = 'application/octet-stream'): Promise<void> {
  const headers = { 'content-type': contentType, 'content-length': String(bytes.length) };
  await textOf(await ask(await requestOf('PUT', key, { headers }), bytes, [200]));
}
