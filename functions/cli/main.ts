import './connect/quiet.ts';
import { failureOf } from './failure.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, line } = failureOf(error);
  if (line !== null) process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}
