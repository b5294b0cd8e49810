import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A client of AWS asks its own package.json for its version, and gets nothing else: the whole is 2 kB a client. */
export const packageVersion: Plugin = {
  name: 'package-version',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
