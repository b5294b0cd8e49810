import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** `script` of util-linux gives a command a terminal; that of macOS has other options. */
export const hasTerminal = process.platform === 'linux';

/** Runs the command line at a terminal, and answers its question. */
export function mailroomAtTerminal(words: readonly string[], answer: string): Promise<{ code: number; shown: string }> {
  const command = ['node_modules/node/bin/node', 'functions/cli/main.ts', ...words];
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', quoted, '/dev/null'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, SHELL: '/bin/sh', TERM: 'xterm' },
    });
    let shown = '';
    let isAnswered = false;
    child.stdout.on('data', (chunk) => {
      shown += chunk;
      if (isAnswered || !shown.includes('[y/N]')) return;
      isAnswered = true;
      child.stdin.write(answer);
    });
    child.once('error', reject).once('close', (code) => resolve({ code: code ?? 0, shown }));
  });
}
