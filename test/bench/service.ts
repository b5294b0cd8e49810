import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevFile, RuntimeFile } from '../../infra/local/files.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { ownEnvironment } from '../acceptance/environment.ts';
import type { MeterQuestion, MeterReading } from './meter.ts';
import { type ProcessorTime, processorTime } from './processorTime.ts';

export interface BenchService {
  readonly dev: DevFile;
  readonly runtime: RuntimeFile;
  /** From the start of the process to its ready line. */
  readonly readyMilliseconds: number;
  startMeter(): Promise<void>;
  readMeter(): Promise<MeterReading>;
  /** Settles everything sent, as its sweeper does six minutes later. */
  settle(): Promise<void>;
  /** Copies everything sent to the bucket, as a worker does 26 days later. */
  copy(): Promise<void>;
  /** Bytes and number of the files of copied emails. */
  copies(): { readonly bytes: number; readonly files: number };
  /** Waits until no AWS call has been made for a second: everything sent is delivered and recorded. */
  quiet(): Promise<void>;
  /** Of its process and its DynamoDB engine, since their start. */
  processorTime(): ProcessorTime | null;
  /** Of its process and its DynamoDB engine. */
  residentBytes(): number;
  /** Logged since its start. */
  loggedBytes(): number;
  /** Sets the faults of the local SES; none without an argument. */
  setFaults(faults?: Readonly<Record<string, unknown>>): Promise<void>;
  stop(options?: { keep?: boolean }): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** Node's flags of `npm start`. */
const flags = packageFile.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Longer than the service's own pauses: a batch window, the delay of a local event. */
const quietMilliseconds = 1000;

/**
 * A service on fresh data (or on `dataDir`), with the meter in its process and the default settings, except that keys
 * have no rate limit.
 */
export async function startBenchService(
  dataDir = mkdtempSync(join(tmpdir(), 'mailroom-bench-')),
  variables: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): Promise<BenchService> {
  const began = performance.now();
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    [
      ...flags,
      '--expose-gc',
      '--import',
      './test/bench/meter.ts',
      ...['infra/local/main.ts', '--port', '0', '--data', dataDir, ...words],
    ],
    {
      cwd: root,
      env: ownEnvironment({ REQUESTS_PER_MINUTE: '100000000', ...variables }),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  await ready(child);
  const readyMilliseconds = performance.now() - began;
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as T;
  let logged = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    logged += chunk.length;
  });
  const enginePid = Number(readFileSync(join(dataDir, 'dynamodb.pid'), 'utf8'));
  const runtime = read<RuntimeFile>('runtime.json');
  const ask = async (message: MeterQuestion): Promise<MeterReading> => {
    child.send(message);
    return (await once(child, 'message'))[0] as MeterReading;
  };
  return {
    dev: read<DevFile>('dev.json'),
    runtime,
    readyMilliseconds,
    startMeter: async () => {
      await ask('start');
    },
    readMeter: () => ask('read'),
    settle: async () => {
      await ask('settle');
    },
    copy: async () => {
      await ask('copy');
    },
    copies: () => {
      const folder = join(dataDir, 'files');
      const files = readdirSync(folder).filter((name) => name.startsWith('archive'));
      return { files: files.length, bytes: files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) };
    },
    quiet: async () => {
      let known = -1;
      for (let made = (await ask('count')).made; made !== known; made = (await ask('count')).made) {
        known = made;
        await sleep(quietMilliseconds);
      }
    },
    processorTime: () => processorTime(child.pid ?? 0, enginePid),
    residentBytes: () => residentBytes(child.pid ?? 0) + residentBytes(enginePid),
    loggedBytes: () => logged,
    setFaults: async (faults = {}) => {
      const url = `${runtime.environment.AWS_ENDPOINT_URL_SESV2}/_control/faults`;
      const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(faults) });
      if (!answer.ok) throw new Error(await answer.text());
    },
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

/** The resident memory of a process, from Linux's `/proc`. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
