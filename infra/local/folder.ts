import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the data folder for this process alone and returns how to give it back. The lock is the operating system's, on
 * an open file: it ends with the process, however that ends, and needs no pid to be believed.
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, 'lock.db'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new Error(`Another Mailroom is using ${dataDir}: stop it, or choose another folder with --data.`, { cause });
  }
  return () => database.close();
}
