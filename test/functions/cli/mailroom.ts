import { fork, spawn } from 'node:child_process';
import { join } from 'node:path';

const node = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'node', 'bin', 'node');
const root = join(import.meta.dirname, '..', '..', '..');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in its own process. */
export function mailroom(words: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['functions/cli/main.ts', ...words], {
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

/** The JSON that a command prints; throws with its stderr when it failed. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose parts the tests read
export async function mailroomJson(words: readonly string[], environment?: Record<string, string>): Promise<any> {
  return jsonOf(words, await mailroom([...words, '--json'], environment));
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function jsonOf(words: readonly string[], { code, stdout, stderr }: Run): any {
  if (code !== 0) throw new Error(`mailroom ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The command line in one process for many commands, all on the data of the same service. */
interface Commands {
  /** As `mailroomJson`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  json(words: readonly string[]): Promise<any>;
  /** As `mailroom`, for output and exit codes; the process itself does not end. */
  run(words: readonly string[]): Promise<Run>;
  stop(): void;
}

/**
 * A process for many commands, because loading the command line takes a quarter of a second. For commands that prepare a
 * test or only print JSON; `mailroom` tests exit codes and stderr.
 */
export function startCommands(): Commands {
  const child = fork(join(import.meta.dirname, 'commandHost.ts'), {
    cwd: root,
    execPath: node,
    execArgv: [],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const waiting = new Map<number, (run: Run) => void>();
  child.on('message', ({ id, run }: { id: number; run: Run }) => waiting.get(id)?.(run));
  child.once('exit', (code) => {
    for (const end of waiting.values()) end({ code, stdout: '', stderr: 'The process of the commands ended.' });
  });
  let asked = 0;
  const run = async (words: readonly string[]): Promise<Run> => {
    const id = asked++;
    const ended = await new Promise<Run>((resolve) => {
      waiting.set(id, resolve);
      child.send({ id, words });
    });
    waiting.delete(id);
    return ended;
  };
  return {
    json: async (words) => jsonOf(words, await run([...words, '--json'])),
    run,
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}
