import { bytesIn, type Chunks } from '../../platform/memory/chunks.ts';
import { collectGarbage } from '../../platform/memory/garbage.ts';
import { ask, requestOf, textOf } from './bucket.ts';

/** The bytes of a file; null when there is none. */
export async function getFile(key: string): Promise<Buffer | null> {
  const chunks = await getChunks(key);
  return chunks && Buffer.concat(chunks);
}

/** The bytes of a file as they come, so that a large one is never there twice; null when there is none. */
export async function getChunks(key: string): Promise<Chunks | null> {
  const answer = await ask(await requestOf('GET', key), null, [200, 404]);
  if (answer.statusCode === 404) {
    await textOf(answer);
    return null;
  }
  clearAway('major');
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    read.minor += chunk.length;
    read.major += chunk.length;
    clearAway('minor');
  }
  const [length, expected] = [bytesIn(chunks), Number(answer.headers['content-length'] ?? 0)];
  if (length !== expected) throw new Error(`A file of ${expected} bytes ended after ${length}.`);
  return chunks;
}

/**
 * Bytes that may lie about before they are looked for: of what came from the connection, which is as large as what it was
 * copied into, and of files that have been used.
 */
const litter = { minor: 4_000_000, major: 16_000_000 };

/** Bytes that were read since. */
const read = { minor: 0, major: 0 };

function clearAway(type: keyof typeof litter): void {
  if (read[type] < litter[type]) return;
  read[type] = 0;
  collectGarbage(type);
}
