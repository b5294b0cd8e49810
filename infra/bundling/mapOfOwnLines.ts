import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * The lines of packages make up nine tenths of a map that is uploaded with every function; our own are what it is for.
 * A file that brings a map of its own is mapped by it: of a package it then tells the file and no line.
 */
export const mapOfOwnLines: Plugin = {
  name: 'map-of-own-lines',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, async ({ path }) => {
      const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
      const named = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      return { contents: `${await readFile(path, 'utf8')}\n${named}`, loader: 'js' };
    });
  },
};
