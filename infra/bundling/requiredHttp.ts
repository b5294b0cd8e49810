import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const required = join(import.meta.dirname, 'http.cjs');

/**
 * An `import` of `node:http` asks for all its exports, WebSocket among them, and so loads all of undici; `require` does
 * not.
 */
export const requiredHttp: Plugin = {
  name: 'required-http',
  setup({ onResolve }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: required } : { path: 'node:http', external: true },
    );
  },
};
