import { ask, requestOf, textOf } from './bucket.ts';

/** The bytes of a file; null when there is none. */
export async function getFile(key: string): Promise<Buffer | null> {
  const answer = await ask(await requestOf('GET', key), null, [200, 404]);
  if (answer.statusCode === 404) {
    await textOf(answer);
    return null;
  }
  // Into one piece of its size, so that a large file is never there twice.
  const bytes = Buffer.allocUnsafe(Number(answer.headers['content-length'] ?? 0));
  let length = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  if (length !== bytes.length) throw new Error(`A file of ${bytes.length} bytes ended after ${length}.`);
  return bytes;
}
