import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Texts of files by their relative paths. */
export type TextFiles = Readonly<Record<string, string>>;

/**
 * The text of every file below a folder, by relative path. Call it with `new URL('./name/', import.meta.url)`: a bundle
 * has no files beside it, so the bundler replaces the call by its result (infra/bundling/documents.ts).
 */
export function textFilesBelow(folder: URL): TextFiles {
  const root = fileURLToPath(folder);
  if (!folder.pathname.endsWith('/')) throw new Error(`${folder} is no folder: it does not end with a slash.`);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.map(
    (path) => [path.slice(root.length).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const,
  );
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of one of these files. Throws when there is no such file. */
export function textOfFile(files: TextFiles, name: string): string {
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text === undefined) throw new Error(`There is no file ${name} among the text files.`);
  return text;
}
