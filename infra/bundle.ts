import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';

/** Project root: entries are named from here, whatever the working directory. */
const root = resolve(import.meta.dirname, '..');

/** What Lambda gets for one entry file. */
export interface BundledFunction {
  /** Holds `index.mjs` and its source map, which nothing loads that does not go wrong. */
  readonly folder: string;
  readonly bytes: number;
  /** Files that left something in it, from the root of the project. */
  readonly modules: readonly string[];
}

/** Handler setting of every bundle. */
export const bundleHandler = 'index.handler';

/**
 * Bundles functions, each into a folder of its own under `outputFolder`, with one call of esbuild: thirty take little
 * more than one, since they share most of what is parsed. Keys are the entries as given (`functions/api/emails/send.ts`).
 */
export async function bundleFunctions(
  entries: readonly string[],
  outputFolder: string,
): Promise<ReadonlyMap<string, BundledFunction>> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => ({ in: entry, out: join(folderName(entry), 'index') })),
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The packages' ES modules are what can be tree-shaken: the document client is 348 kB instead of 548.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // Beside the code and not named in it: read by the logger when an error needs it, and by nobody else.
    sourcemap: 'external',
    sourcesContent: false,
    // CommonJS packages ask for Node's own modules with `require`, which an ES module does not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [withoutUnusedModules, treeShakeableSdkSchemas, compressedReference, mapOfOwnLines],
    metafile: true,
    logLevel: 'silent',
  });
  await Promise.all(Object.keys(result.metafile.outputs).filter(isMap).map(nameSourcesFromRoot));
  const outputs = new Map(Object.values(result.metafile.outputs).map((output) => [output.entryPoint, output]));
  return new Map(
    entries.map((entry) => {
      const { bytes = 0, inputs = {} } = outputs.get(entry) ?? {};
      const modules = Object.keys(inputs).filter((file) => inputs[file]?.bytesInOutput);
      return [entry, { folder: join(outputFolder, folderName(entry)), bytes, modules }];
    }),
  );
}

const isMap = (file: string): boolean => file.endsWith('.map');

/** In a map sources are named from where it lies, which differs from machine to machine, as the bundle must not. */
async function nameSourcesFromRoot(file: string): Promise<void> {
  const path = resolve(root, file);
  const map = JSON.parse(await readFile(path, 'utf8')) as { sources: string[] };
  const sources = map.sources.map((source) => relative(root, resolve(dirname(path), source)).replaceAll('\\', '/'));
  await writeFile(path, JSON.stringify({ ...map, sources }));
}

const folderName = (entry: string): string => entry.replace(/\.ts$/, '').replaceAll('/', '-');

/**
 * Parts of packages that never run in Lambda, and what stands in for them there. The local runtime keeps the real ones.
 */
const substitutes: readonly { readonly path: RegExp; readonly contents: string }[] = [
  {
    // Lambda puts the role's credentials into the environment; the chain of the other sources is some 110 kB.
    path: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    // Read only for operations that stream events (Kinesis, Bedrock); none of our clients has one.
    path: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/,
    contents: unavailable('EventStreamSerde', 'eventStreamSerdeProvider'),
  },
  {
    // Reads that go on are written out with their positions. The package does not say that it has no side effects, so a
    // bundler would keep Query and Scan in every function.
    path: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/index\.js$/,
    contents: 'export {};',
  },
  {
    // The message is given a media type for every part, so nodemailer's own table (76 kB) is never asked.
    path: /nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/,
    contents:
      "export const detectMimeType = () => 'application/octet-stream'; export const detectExtension = () => 'bin';",
  },
  {
    // Messages are composed with `disableUrlAccess`: nodemailer never fetches anything.
    path: /nodemailer\/dist\/esm\/fetch\/index\.js$/,
    contents: `${unavailable('fetch')} export default fetch;`,
  },
];

function unavailable(...names: string[]): string {
  return names
    .map((name) => `export function ${name}() { throw new Error('${name} is not part of this bundle.'); }`)
    .join(' ');
}

const withoutUnusedModules: Plugin = {
  name: 'without-unused-modules',
  setup({ onLoad }) {
    for (const { path, contents } of substitutes) {
      onLoad({ filter: path }, (file) => ({ contents, loader: 'js', resolveDir: resolve(file.path, '..') }));
    }
  },
};

/**
 * An SDK client describes all its operations in one module, whose objects have computed keys (`{ [_h]: … }` with
 * `const _h = "http"`). To a bundler a computed key may have effects, so it keeps every operation: written out, it keeps
 * those that are used. The SES client is 40 kB smaller for it.
 */
const treeShakeableSdkSchemas: Plugin = {
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

/** A document of 330 kB is 30 kB when compressed, and is only opened by a call that asks for it. */
const compressedReference: Plugin = {
  name: 'compressed-reference',
  setup({ onLoad }) {
    onLoad({ filter: /\/openapi\/openapi\.[\w-]+\.json$/ }, async ({ path }) => {
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

/**
 * The lines of packages make up nine tenths of a map that is uploaded with every function; our own are what it is for.
 * A file that brings a map of its own is mapped by it: of a package it then tells the file and no line.
 */
const mapOfOwnLines: Plugin = {
  name: 'map-of-own-lines',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, async ({ path }) => {
      const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
      const named = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      return { contents: `${await readFile(path, 'utf8')}\n${named}`, loader: 'js' };
    });
  },
};
