import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DevFile, RuntimeFile } from '../../infra/local/files.ts';
import { ownEnvironment } from '../acceptance/environment.ts';
import type { MeterReading } from './meter.ts';

export interface BenchService {
  readonly dev: DevFile;
  readonly runtime: RuntimeFile;
  /** From the start of the process to the line that says it is ready. */
  readonly readyMilliseconds: number;
  startMeter(): Promise<void>;
  readMeter(): Promise<MeterReading>;
  stop(options?: { keep?: boolean }): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** A service of the bench's own, on fresh data (or on `dataDir`), with the meter in its process. */
export async function startBenchService(
  dataDir = mkdtempSync(join(tmpdir(), 'mailroom-bench-')),
): Promise<BenchService> {
  const began = performance.now();
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    ['--expose-gc', '--import', './test/bench/meter.ts', 'infra/local/main.ts', '--port', '0', '--data', dataDir],
    {
      cwd: root,
      env: ownEnvironment({ REQUESTS_PER_MINUTE: '100000000' }),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  await ready(child);
  const readyMilliseconds = performance.now() - began;
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as T;
  const ask = async (message: 'start' | 'read'): Promise<MeterReading> => {
    child.send(message);
    return (await once(child, 'message'))[0] as MeterReading;
  };
  return {
    dev: read<DevFile>('dev.json'),
    runtime: read<RuntimeFile>('runtime.json'),
    readyMilliseconds,
    startMeter: async () => {
      await ask('start');
    },
    readMeter: () => ask('read'),
    stop: async ({ keep = false } = {}) => {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('The service has no standard output.');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Mailroom is ready')) continue;
    child.stdout.resume();
    return;
  }
  throw new Error('The service ended before it was ready.');
}
