import { createInterface } from 'node:readline/promises';

/** Takes the place of an answer. */
export const yesFlag = ['--yes', 'do not ask', false] as const;

/** Whether a person can read a question on stderr and answer it on stdin. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks at the terminal. Anything but y or yes means no, Ctrl-C and the end of the input as well. */
export async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `).catch(() => '');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
