import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { compressedReference } from './bundling/compressedReference.ts';
import { mapOfOwnLines } from './bundling/mapOfOwnLines.ts';
import { packageVersion } from './bundling/packageVersion.ts';
import { requiredHttp } from './bundling/requiredHttp.ts';
import { treeShakeableSdkSchemas } from './bundling/treeShakeableSdkSchemas.ts';
import { withoutJsonSchema } from './bundling/withoutJsonSchema.ts';
import { withoutUnusedModules } from './bundling/withoutUnusedModules.ts';

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
    // The packages' ES modules are what can be tree-shaken.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // Beside the code and not named in it: read by the logger when an error needs it, and by nobody else.
    sourcemap: 'external',
    sourcesContent: false,
    // CommonJS packages ask for Node's own modules with `require`, which an ES module does not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [
      withoutUnusedModules,
      packageVersion,
      requiredHttp,
      withoutJsonSchema,
      treeShakeableSdkSchemas,
      compressedReference,
      mapOfOwnLines,
    ],
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
