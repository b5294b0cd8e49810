import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const project = resolve(import.meta.dirname, '..', '..');
const cdk = join(project, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Most of a synthesis with all checks is CloudFormation's own rules: some ten seconds, more on a busy machine. */
export const checkedSynthesisMilliseconds = 240_000;

/**
 * Runs `cdk synth` on test/infra/checkedApp.ts without an AWS account: an empty home, no credentials, no region. Answers
 * the names of the stacks; rejects with what it printed when a check fails.
 */
export async function checkedStacks(settings: readonly object[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-synth-'));
  const [file, output] = [join(folder, 'settings.json'), join(folder, 'out')];
  await writeFile(file, JSON.stringify(settings));
  const options = ['--app', 'node test/infra/checkedApp.ts', '--context', `settings=${file}`, '--output', output];
  try {
    await promisify(execFile)(process.execPath, [cdk, 'synth', '--quiet', '--no-notices', ...options], {
      cwd: project,
      env: { HOME: folder, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    });
    const written = await readdir(output);
    return written.flatMap((name) => /^(.*)\.template\.json$/.exec(name)?.[1] ?? []).sort();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
