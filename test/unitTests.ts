import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runtimeImportsOf } from './architecture/importGraph.ts';

/** Packages and modules with which a test starts another program, an engine or a browser, or builds the deployment. */
const heavyImports = [
  'node:child_process',
  'node:worker_threads',
  'node:sqlite',
  'playwright-core',
  'fauxqs',
  'esbuild',
  'aws-cdk-lib',
] as const;

const root = join(import.meta.dirname, '..');
const known = new Map<string, readonly string[]>();

/** The heavy imports of a file of the project, its own or those of a file that it loads. */
export function heavyImportsOf(file: string): string[] {
  const seen = new Set([file]);
  for (const path of seen) for (const to of importsOfFile(path)) seen.add(to);
  return heavyImports.filter((heavy) => [...seen].some((path) => path === heavy || path.startsWith(`${heavy}/`)));
}

function importsOfFile(path: string): readonly string[] {
  if (!/^(functions|infra|shared|test)\/.*\.(ts|mjs)$/.test(path)) return [];
  const imports = known.get(path) ?? runtimeImportsOf(path, readFileSync(join(root, path), 'utf8')).map(({ to }) => to);
  known.set(path, imports);
  return imports;
}

/** The filter of `npm run test:unit`: the tests that start nothing and need no engine, derived from what they load. */
const unitTests = (paths: readonly string[]) => ({
  filtered: paths.filter((path) => heavyImportsOf(relative(root, path)).length === 0),
});

// Jest loads its filter with `require`.
export { unitTests as 'module.exports' };
