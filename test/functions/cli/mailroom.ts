import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operator's command line as a process of its own. */
export function mailroom(words: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', 'node', 'bin', 'node'), ['functions/cli/main.ts', ...words], {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The JSON that a command prints; throws with its error when it failed. */
// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
export async function mailroomJson(words: readonly string[], environment?: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await mailroom([...words, '--json'], environment);
  if (code !== 0) throw new Error(`mailroom ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
