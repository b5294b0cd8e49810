import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

const substitute = (file: string): string => join(import.meta.dirname, 'substitutes', file);

/** Modules that are replaced in bundles, by import name. */
export const substitutes: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': substitute('credentials.ts'),
  '@modelcontextprotocol/server/_shims': substitute('mcpShims.ts'),
};

/**
 * `import` of `node:http` evaluates all its exports, WebSocket among them, which loads all of undici: a sixth of the
 * import time. `require` does not.
 */
export const requiredHttp: Plugin = {
  name: 'required-http',
  setup({ onResolve }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: substitute('http.cjs') } : { path: 'node:http', external: true },
    );
  },
};

/**
 * The document client does not declare that its modules have no side effects, as the SDK's other packages do: every
 * bundle would contain its paginators and with them the scan command.
 */
export const sideEffectFreeDocumentClient: Plugin = {
  name: 'side-effect-free-document-client',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@aws-sdk\/lib-dynamodb$/ }, async ({ path, pluginData, ...place }) => {
      if (pluginData === 'resolved') return undefined;
      return { ...(await resolve(path, { ...place, pluginData: 'resolved' })), sideEffects: false };
    });
  },
};

/**
 * Removes nodemailer's table of media types (76 kB), which is never read: every part of a message has an explicit media
 * type.
 */
export const withoutMediaTypes: Plugin = {
  name: 'without-media-types',
  setup({ onLoad }) {
    onLoad({ filter: /\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/ }, () => ({
      contents: `export const detectMimeType = () => 'application/octet-stream';
        export const detectExtension = () => 'bin';`,
      loader: 'js',
    }));
  },
};

/**
 * Removes the lines of packages, nine tenths of the source map that is uploaded with every function. For a package that
 * ships its own map, the file is still named, without a line.
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
