import { ask, requestOf, textOf } from './bucket.ts';

/** Up to 1,000 keys that begin with `prefix`: whoever deletes them asks again until there is none. */
export async function listFiles(prefix: string): Promise<readonly string[]> {
  // Encoded, since XML 1.0 cannot hold every character that a key can (Amazon S3 API Reference, ListObjectsV2).
  const query = { 'list-type': '2', prefix, 'encoding-type': 'url' };
  const answer = await textOf(await ask(await requestOf('GET', '', { query }), null, [200]));
  return [...answer.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) =>
    decodeURIComponent(key.replace(/\+/g, ' ')),
  );
}
