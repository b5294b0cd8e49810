import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Each zod schema can describe itself as JSON Schema, and so carries the code for every kind of schema: 18 kB in each
 * function. Only the reference needs it, which is generated beforehand.
 */
export const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ }, async (file) => {
      const source = await readFile(file.path, 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
      // `create…` is called when a schema is made, what it gives when the schema is to describe itself.
      const exports = names.map((name) => `${name.startsWith('create') ? 'made' : 'gone'} as ${name}`);
      const contents = [
        "const gone = () => { throw new Error('JSON Schema is not part of this bundle.'); };",
        'const made = () => gone;',
        `export { ${exports.join(', ')} };`,
      ];
      return { contents: contents.join(' '), loader: 'js' };
    });
  },
};
