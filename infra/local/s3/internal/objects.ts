import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface StoredObject {
  readonly path: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly writtenAt: Date;
}

/** The files of a bucket in a folder, each under its key with the special characters of file systems encoded. */
export class Objects {
  readonly #folder: string;
  #drafts = 0;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Writes all or nothing. `check` may refuse the content by throwing. */
  async put(key: string, contentType: string, content: Readable, check: () => void): Promise<void> {
    this.#drafts += 1;
    const draft = join(this.#folder, `.draft-${process.pid}-${this.#drafts}`);
    try {
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }));
      check();
      await writeFile(this.#typeOf(key), contentType, { mode: 0o600 });
      renameSync(draft, this.#pathOf(key));
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Null when it does not exist. */
  async find(key: string): Promise<StoredObject | null> {
    try {
      const path = this.#pathOf(key);
      const [{ size, mtime }, contentType] = await Promise.all([stat(path), readFile(this.#typeOf(key), 'utf8')]);
      return { path, bytes: size, contentType, writtenAt: mtime };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await Promise.all([this.#pathOf(key), this.#typeOf(key)].map((path) => rm(path, { force: true })));
  }

  async list(prefix: string): Promise<string[]> {
    const names = await readdir(this.#folder);
    const keys = names.filter((name) => !name.startsWith('.')).map(decodeURIComponent);
    return keys.filter((key) => key.startsWith(prefix)).sort();
  }

  #pathOf(key: string): string {
    return join(this.#folder, encodeURIComponent(key));
  }

  #typeOf(key: string): string {
    return join(this.#folder, `.type-${encodeURIComponent(key)}`);
  }
}
