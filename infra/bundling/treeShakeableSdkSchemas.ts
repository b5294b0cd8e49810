import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * An SDK client describes all its operations in one module, whose objects have computed keys (`{ [_h]: … }` with
 * `const _h = "http"`). To a bundler a computed key may have effects, so it keeps every operation: written out, it keeps
 * those that are used. The SES client is 40 kB smaller for it.
 */
export const treeShakeableSdkSchemas: Plugin = {
  name: 'tree-shakeable-sdk-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_\d+\.js$/ }, async (file) => ({
      contents: withLiteralKeys(await readFile(file.path, 'utf8')),
      loader: 'js',
    }));
  },
};

function withLiteralKeys(source: string): string {
  const constants = new Map(
    [...source.matchAll(/^const (_\w+) = ("[^"\\\n]*");$/gm)].map(([, name, text]) => [name, text]),
  );
  return source.replaceAll(/\[(_\w+)\]:/g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : `${text}:`;
  });
}
