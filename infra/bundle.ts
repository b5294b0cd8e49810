import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { compressedDocuments, inlinedTextFiles } from './bundling/documents.ts';
import {
  mapOfOwnLines,
  requiredHttp,
  sideEffectFreeDocumentClient,
  substitutes,
  withoutMediaTypes,
} from './bundling/packages.ts';

/** Project root: entries are named from here, whatever the working directory. */
const root = resolve(import.meta.dirname, '..');

/** The bundle of one entry file. */
export interface BundledFunction {
  /** Contains `index.mjs` and its source map, which is read only after an error. */
  readonly folder: string;
  readonly bytes: number;
  /** Files with code in the bundle, relative to the root of the project. */
  readonly modules: readonly string[];
}

/** Handler setting of every bundle. */
export const bundleHandler = 'index.handler';

/**
 * Bundles functions, each into its own folder below `outputFolder`, with one call of esbuild: thirty take little longer
 * than one, since most of the parsed files are shared. The keys are the entries as given
 * (`functions/api/emails/send.ts`).
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
    // Only ES modules of packages can be tree-shaken.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // A separate file that the code does not name: only the logger reads it, after an error.
    sourcemap: 'external',
    sourcesContent: false,
    // CommonJS packages load Node's modules with `require`, which ES modules lack.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    alias: substitutes,
    plugins: [
      requiredHttp,
      sideEffectFreeDocumentClient,
      withoutMediaTypes,
      compressedDocuments,
      inlinedTextFiles,
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

/**
 * Makes the paths in a source map relative to the root: their default location differs between machines, and bundles
 * must not.
 */
async function nameSourcesFromRoot(file: string): Promise<void> {
  const path = resolve(root, file);
  const map = JSON.parse(await readFile(path, 'utf8')) as { sources: string[] };
  const sources = map.sources.map((source) => relative(root, resolve(dirname(path), source)).replaceAll('\\', '/'));
  await writeFile(path, JSON.stringify({ ...map, sources }));
}

const folderName = (entry: string): string => entry.replace(/\.ts$/, '').replaceAll('/', '-');
