import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');
const command = /@aws-sdk\/(lib-dynamodb|client-[\w-]+)\/dist-es\/commands\/(\w+)Command\.js$/;

const withoutLocalService: Plugin = {
  name: 'withoutLocalService',
  setup: ({ onResolve }) => onResolve({ filter: /\/infra\/local\// }, ({ path }) => ({ path, external: true })),
};

/**
 * The operations of AWS that the command line uses on a deployed stack, as `client-sqs/SendMessage`: those that a bundle
 * of it keeps. What it starts on a laptop is left out, and so are requests that the SDK does not sign.
 */
export async function operationsOfCommandLine(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['functions/cli/program.ts'],
    bundle: true,
    write: false,
    outdir: 'out',
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    plugins: [withoutLocalService],
    loader: { '.css': 'text', '.svg': 'text', '.html': 'text' },
    metafile: true,
    logLevel: 'silent',
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return [...new Set(files.flatMap((file) => command.exec(file)?.slice(1, 3).join('/') ?? []))].sort();
}
