import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** A new folder for one test, and how to remove it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'mailroom-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

const children = new Set<ChildProcess>();

/** Ends what a failed test left running; for afterEach. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/**
 * Runs `code`, an ES module, in a Node process in the project's folder, until it prints its first line. It leads a
 * process group of its own, as a program does that was started from a terminal.
 */
export async function startChild(code: string): Promise<{ child: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.add(child);
  const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { child, firstLine: String(chunk).trim() };
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Pids of running processes whose command line contains the text. */
export async function processesWith(text: string): Promise<number[]> {
  const commands = existsSync('/proc/self/cmdline') ? await commandsFromProc() : await commandsFromPs();
  return commands.filter(([pid, command]) => pid !== process.pid && command.includes(text)).map(([pid]) => pid);
}

async function commandsFromProc(): Promise<[number, string][]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return Promise.all(pids.map(async (pid): Promise<[number, string]> => [pid, await read(pid)]));
}

/** Without `/proc`, as on macOS; `Z` is a process that has ended. */
async function commandsFromPs(): Promise<[number, string][]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,stat=,command='], { maxBuffer: 2 ** 26 });
  const lines = stdout.split('\n').filter((line) => !/^\s*\d+\s+Z/.test(line));
  return lines.map((line) => [Number.parseInt(line, 10), line]);
}

/** Waits until the condition holds; throws with its name when it does not within a minute. */
export async function until(name: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error(`Not within a minute: ${name}.`);
}
