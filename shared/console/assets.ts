import { createHash } from 'node:crypto';
import { type TextFiles, textFilesBelow, textOfFile } from '../platform/textFiles.ts';
import type { ConsoleReply } from './call.ts';
import { consoleRoot } from './paths.ts';

const sources = textFilesBelow(new URL('./browser/', import.meta.url));

/** The style sheet of every page is one file; later parts refine earlier ones. */
const partsOfStyle = ['layout.css', 'elements.css', 'forms.css', 'widgets.css', 'sections.css'];

/** What browsers load, by its name. Scripts are modules that import each other by relative names. */
const files: TextFiles = {
  ...sources,
  'console.css': partsOfStyle.map((name) => textOfFile(sources, name)).join('\n'),
};

/**
 * The folder name contains a hash of all files: browsers cache each file for a year, and a script never imports a file
 * of another release.
 */
const folder = `/assets/${createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 16)}`;

/** The path of a file. Throws when there is no such file. */
export function assetPath(name: string): string {
  if (!Object.hasOwn(files, name)) throw new Error(`The console has no file ${name} for browsers.`);
  return `${consoleRoot()}${folder}/${name}`;
}

/** The file of a path below `/console`; null when there is none. */
export function assetAt(path: string): ConsoleReply | null {
  const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
  const body = Object.hasOwn(files, name) ? files[name] : undefined;
  if (body === undefined) return null;
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
  return { kind: 'file', type: `${type}; charset=utf-8`, body, isImmutable: true };
}
