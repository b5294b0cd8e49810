import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { catalogIn } from '../../shared/documentation/catalog/catalog.ts';
import { inEachLanguage } from '../../shared/language/languages.ts';
import { textFilesBelow } from '../../shared/platform/textFiles.ts';

/**
 * Documents that are derived from the contract: the OpenAPI files and the catalog of the MCP server. Compressed to a
 * tenth of their size, and expanded only by a call that needs them.
 */
export const compressedDocuments: Plugin = {
  name: 'compressed-documents',
  setup({ onLoad }) {
    onLoad({ filter: /\/openapi\/openapi\.[\w-]+\.json$/ }, async ({ path }) => ({
      contents: `${expand} export default expand('${compressed(JSON.parse(await readFile(path, 'utf8')))}');`,
      loader: 'js',
    }));
    onLoad({ filter: /\/shared\/documentation\/catalog\/catalog\.ts$/ }, () => {
      const catalogs = inEachLanguage((language) => compressed(catalogIn(language)));
      return {
        contents: `${expand} const catalogs = ${JSON.stringify(catalogs)};
          export const catalogIn = (language) => expand(catalogs[language]);`,
        loader: 'js',
      };
    });
  },
};

const compressed = (document: unknown): string => brotliCompressSync(JSON.stringify(document)).toString('base64');

const expand = `import { brotliDecompressSync } from 'node:zlib';
  const expand = (text) => JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString());`;

const call = /\btextFilesBelow\(\s*new URL\('([^']+)', import\.meta\.url\),?\s*\)/g;

/** Inlines style sheets and browser scripts into the bundle, replacing the call that reads them. */
export const inlinedTextFiles: Plugin = {
  name: 'inlined-text-files',
  setup({ onLoad }) {
    onLoad({ filter: /\/shared\/.*\/assets\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.match(call)) throw new Error(`${path} reads no text files in the way that is replaced.`);
      const folderOf = (relative: string) => new URL(relative, pathToFileURL(path));
      const contents = source.replace(call, (_, relative: string) =>
        JSON.stringify(textFilesBelow(folderOf(relative))),
      );
      return { contents, loader: 'ts' };
    });
  },
};
