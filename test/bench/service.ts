import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevFile, RuntimeFile } from '../../infra/local/files.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { ownEnvironment } from '../acceptance/environment.ts';
import type { MeterQuestion, MeterReading } from './meter.ts';
import { type ProcessorTime, processorTime } from './processorTime.ts';
import { residentBytes } from './sending/residentBytes.ts';

export interface BenchService {
  readonly dev: DevFile;
  readonly runtime: RuntimeFile;
  /** From the start of the process to the line that says it is ready. */
  readonly readyMilliseconds: number;
  startMeter(): Promise<void>;
  readMeter(): Promise<MeterReading>;
  /** Settles all that was sent, in its process, as its sweeper would six minutes later. */
  settle(): Promise<void>;
  /** Waits until no call of AWS has been made for a while: what was sent has been reported and recorded. */
  quiet(): Promise<void>;
  /** What its process and its DynamoDB engine have used so far. */
  processorTime(): ProcessorTime | null;
  /** What its process and its DynamoDB engine have in memory. */
  residentBytes(): number;
  /** Bytes that it has logged so far. */
  loggedBytes(): number;
  /** Sets the faults of the local SES; without any it works again. */
  setFaults(faults?: Readonly<Record<string, unknown>>): Promise<void>;
  stop(options?: { keep?: boolean }): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** What `npm start` tells Node. */
const flags = packageFile.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Longer than any pause of the service's own making: a batch window, the delay of a local event. */
const quietMilliseconds = 1000;

/**
 * A service of the bench's own, on fresh data (or on `dataDir`), with the meter in its process. Its settings are the
 * defaults, the list of emails among them; only a key may make as many calls as it likes.
 */
export async function startBenchService(
  dataDir = mkdtempSync(join(tmpdir(), 'mailroom-bench-')),
  variables: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const began = performance.now();
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    [
      ...flags,
      '--expose-gc',
      '--import',
      './test/bench/meter.ts',
      ...['infra/local/main.ts', '--port', '0', '--data', dataDir],
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
