import './connect/quiet.ts';
import { failureOf } from './output.ts';
import { createProgram } from './program.ts';

try {
  const words = process.argv.slice(2);
  const program = await createProgram(words);
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  const { exitCode, line } = failureOf(error);
  if (line !== null) process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}
