/** Runs one command after another like `main.ts`, for `startCommands`. */
import '../../../functions/cli/connect/quiet.ts';
import { failureOf } from '../../../functions/cli/output.ts';
import { createProgram } from '../../../functions/cli/program.ts';
import type { Run } from './mailroom.ts';

type Write = typeof process.stdout.write;

async function run(words: readonly string[]): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = ((chunk, encoding, callback) => {
      written[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      (typeof encoding === 'function' ? encoding : callback)?.();
      return true;
    }) as Write;
  }
  process.exitCode = 0;
  try {
    await (await createProgram(words)).parseAsync(words, { from: 'user' });
  } catch (error) {
    const { exitCode, line } = failureOf(error);
    written.stderr += line ?? '';
    process.exitCode = exitCode;
  } finally {
    for (const stream of ['stdout', 'stderr'] as const) process[stream].write = writes[stream];
  }
  return { code: Number(process.exitCode), ...written };
}

let last: Promise<unknown> = Promise.resolve();

process.on('message', ({ id, words }: { id: number; words: readonly string[] }) => {
  last = last.then(async () => process.send?.({ id, run: await run(words) }));
});
process.on('disconnect', () => process.exit());
