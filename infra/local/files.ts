import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a developer needs to call the service, written on its first start. */
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

/** Writes whole or not at all, readable by its owner only: it may hold a key. */
export function writePrivateJson(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function readJson<T>(path: string): T | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null;
}

/** The file that stands for Secrets Manager: made once, in the form that shared/platform/secret.ts reads. */
export function secretFile(dataDir: string): string {
  const path = join(dataDir, 'secret.json');
  if (!existsSync(path)) writePrivateJson(path, { current: randomBytes(32).toString('base64url') });
  return path;
}
