import {
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { now } from '../../../../shared/platform/clock.ts';

interface StoredObject {
  readonly path: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly etag: string;
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

  /**
   * Writes all or nothing. `finish` returns the tag of the content, or refuses it by throwing, as `check` may do by the
   * tag of the object that it would replace.
   */
  async put(
    key: string,
    contentType: string,
    content: Readable,
    finish: () => string,
    check: (replaced: string | null) => void = () => {},
  ): Promise<void> {
    this.#drafts += 1;
    const draft = join(this.#folder, `.draft-${process.pid}-${this.#drafts}`);
    try {
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }));
      // Its age counts by the service's clock, which may be ahead of the file system's.
      utimesSync(draft, now(), now());
      const etag = finish();
      // From here on no other request comes between.
      check(this.#tagOf(key));
      writeFileSync(this.#typeOf(key), `${contentType}\n${etag}`, { mode: 0o600 });
      renameSync(draft, this.#pathOf(key));
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Null when it does not exist. */
  async find(key: string): Promise<StoredObject | null> {
    try {
      const path = this.#pathOf(key);
      const [{ size, mtime }, type] = await Promise.all([stat(path), readFile(this.#typeOf(key), 'utf8')]);
      const [contentType = '', etag = ''] = type.split('\n');
      return { path, bytes: size, contentType, etag, writtenAt: mtime };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** An object opened for reading: what replaces it meanwhile does not change what is read. */
  open(key: string): (Omit<StoredObject, 'path'> & { readonly descriptor: number }) | null {
    try {
      // Without a pause, so that the tag is that of the content.
      const descriptor = openSync(this.#pathOf(key), 'r');
      const { size, mtime } = fstatSync(descriptor);
      const [contentType = '', etag = ''] = readFileSync(this.#typeOf(key), 'utf8').split('\n');
      return { descriptor, bytes: size, contentType, etag, writtenAt: mtime };
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

  /** Null when there is no object. */
  #tagOf(key: string): string | null {
    try {
      return readFileSync(this.#typeOf(key), 'utf8').split('\n')[1] ?? '';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, encodeURIComponent(key));
  }

  #typeOf(key: string): string {
    return join(this.#folder, `.type-${encodeURIComponent(key)}`);
  }
}
