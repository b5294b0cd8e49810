import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damagedFile } from './sqlite.ts';

/** What a developer needs to call the service; written at its first start. */
export interface DevFile {
  readonly base_url: string;
  readonly api_key: string;
  readonly workspace_id: string;
  readonly inbox_url: string;
}

/** What the command line needs to work on the data of a running service. */
export interface RuntimeFile {
  readonly pid: number;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

export const devFile = (dataDir: string): string => join(dataDir, 'dev.json');
export const runtimeFile = (dataDir: string): string => join(dataDir, 'runtime.json');

/** Writes atomically, readable only by the owner: it may hold a key. */
export function writePrivateJson(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Reads a file of the data folder; null when it does not exist. An error names the file. */
export function readJson<T extends object>(path: string, names: readonly (keyof T & string)[] = []): T | null {
  if (!existsSync(path)) return null;
  const found = parsed(path);
  const missing = names.filter((name) => found[name] === undefined);
  if (missing.length === 0) return found as T;
  throw new Error(damagedFile(path));
}

function parsed(path: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw new Error(`The file ${path} cannot be read.`, { cause });
  }
  throw new Error(damagedFile(path));
}

/**
 * The files of the secrets, in the form that shared/platform/secret.ts reads, by their variables; each created once.
 * Throws when one is damaged: a new secret could not open what the old one sealed.
 */
export const secretFiles = (dataDir: string): Record<'SERVICE_SECRET_FILE' | 'CONSOLE_SECRET_FILE', string> => ({
  SERVICE_SECRET_FILE: secretFile(join(dataDir, 'secret.json')),
  CONSOLE_SECRET_FILE: secretFile(join(dataDir, 'console-secret.json')),
});

function secretFile(path: string): string {
  if (!readJson<{ current: string }>(path, ['current'])) {
    writePrivateJson(path, { current: randomBytes(32).toString('base64url') });
  }
  return path;
}
