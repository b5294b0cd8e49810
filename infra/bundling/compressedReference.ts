import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** A document of 330 kB is 30 kB when compressed, and is only opened by a call that asks for it. */
export const compressedReference: Plugin = {
  name: 'compressed-reference',
  setup({ onLoad }) {
    onLoad({ filter: /\/openapi\/(openapi|mcp)\.[\w-]+\.json$/ }, async ({ path }) => {
      const compressed = brotliCompressSync(JSON.stringify(JSON.parse(await readFile(path, 'utf8')))).toString(
        'base64',
      );
      return {
        contents: `import { brotliDecompressSync } from 'node:zlib';
          export default JSON.parse(brotliDecompressSync(Buffer.from('${compressed}', 'base64')).toString());`,
        loader: 'js',
      };
    });
  },
};
