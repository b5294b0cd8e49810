import { createHash } from 'node:crypto';
import type { ConsoleReply } from '../call.ts';
import { consoleRoot } from '../root.ts';
import { consoleScript } from './script.ts';
import { consoleStyle } from './style.ts';

/** A file under an address that holds its hash: kept by browsers for a year, and never out of date. */
function asset(name: string, type: string, body: string) {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return { path: `/assets/${hash}.${name}`, type, body };
}

const style = asset('css', 'text/css; charset=utf-8', consoleStyle.toString());
const script = asset('js', 'text/javascript; charset=utf-8', consoleScript.toString());

export const stylePath = (): string => `${consoleRoot()}${style.path}`;
export const scriptPath = (): string => `${consoleRoot()}${script.path}`;

/** The file of a path below `/console`; null when there is none. */
export function assetAt(path: string): ConsoleReply | null {
  const found = [style, script].find((one) => one.path === path);
  return found ? { kind: 'file', type: found.type, body: found.body, isImmutable: true } : null;
}
