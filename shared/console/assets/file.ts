import { createHash } from 'node:crypto';

/** A file under an address that holds its hash: kept by browsers for a year, and never out of date. */
export function fileOf(name: string, type: string, body: string) {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return { path: `/assets/${hash}.${name}`, type, body };
}
