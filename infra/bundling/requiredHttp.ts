import type { Plugin } from 'esbuild';

/**
 * An `import` of `node:http` asks for all its exports, WebSocket among them, and so loads all of undici; `require` does
 * not.
 */
export const requiredHttp: Plugin = {
  name: 'required-http',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'required' } : { path: 'node:http', external: true },
    );
    onLoad({ filter: /^/, namespace: 'required' }, () => ({ contents: "module.exports = require('node:http');" }));
  },
};
