import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { devFile } from './files.ts';

/** SQLITE_BUSY: another process has the lock. */
const busy = 5;

/** A killed process keeps its lock until the system has taken back all that it had. */
const endingMilliseconds = 2000;

/** The files of a folder after a first start, by the engine that writes them. */
const files = {
  secret: ['secret.json'],
  DYNAMODB: ['dynamodb.db'],
  SESV2: ['ses.db'],
  SCHEDULER: ['scheduler.db'],
  SQS: ['messaging/fauxqs.db'],
} as const;

/**
 * Locks the data folder for this process and returns its release. The lock is the operating system's, on an open file: it
 * ends with the process, however that ends.
 *
 * Throws one sentence when the folder cannot be created, or when another process uses it (`isFolderInUse`).
 */
export function lockFolder(dataDir: string): () => void {
  makeFolder(dataDir);
  makePrivate(dataDir);
  const file = join(dataDir, 'lock.db');
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { timeout: endingMilliseconds });
  } catch (cause) {
    throw new Error(`Nothing can be written to the data folder ${dataDir}: choose another with --data.`, { cause });
  }
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw new Error(`The file ${file} is damaged: remove it and start again.`, { cause });
    throw new Error(`Another Mailroom is using ${dataDir}: stop it, or choose another folder with --data.`, { cause });
  }
  return () => database.close();
}

export function isFolderInUse(error: unknown): boolean {
  return isBusy((error as { cause?: unknown }).cause);
}

const isBusy = (error: unknown): boolean => (error as { errcode?: number } | undefined)?.errcode === busy;

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in its place or above it',
  ENOTDIR: 'a file is in its place or above it',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
  ENOENT: 'nothing can be created there',
};

function makeFolder(dataDir: string): void {
  try {
    makeWithParents(dataDir);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const why = reasons[code] ?? message;
    throw new Error(`The data folder ${dataDir} cannot be created: ${why}. Choose another with --data.`, { cause });
  }
}

/** Not with `recursive`: on a file system without folders (`/proc`), Node 24 retries forever. */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeWithParents(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Only the owner may read mail, people and secrets: files written from now on, and existing ones. */
function makePrivate(dataDir: string): void {
  process.umask(0o077);
  for (const file of Object.values(files).flat()) {
    const path = join(dataDir, file);
    if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/**
 * Throws with the names of files that a folder has lost. Without the secret the webhooks' secrets in the table cannot be
 * read, and without the table no key works: creating a new file would only hide that. `isLocal`: whether the service's
 * data is in this folder.
 */
export function requireWholeFolder(
  dataDir: string,
  isLocal: (service: 'DYNAMODB' | 'SESV2' | 'SCHEDULER' | 'SQS') => boolean,
) {
  const has = (file: string) => existsSync(join(dataDir, file));
  const { secret, ...engines } = files;
  const expected = [
    ...secret,
    ...Object.entries(engines).flatMap(([service, names]) => (isLocal(service as keyof typeof engines) ? names : [])),
  ];
  const wasComplete = existsSync(devFile(dataDir));
  const missing = (wasComplete ? expected : has('dynamodb.db') ? secret : []).filter((file) => !has(file));
  if (missing.length === 0) return;
  throw new Error(
    `The data folder ${dataDir} has lost ${missing.join(', ')}: restore it, or start with another folder (--data).`,
  );
}
