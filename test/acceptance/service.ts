import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DevFile, devFile, type RuntimeFile, readJson, runtimeFile } from '../../infra/local/files.ts';
import { ownEnvironment } from './environment.ts';
import { followLog, type ServiceLog, type ServiceOutputs } from './serviceLog.ts';

/** A real service in a process of its own, on free ports and its own folder, driven from outside. */
export interface TestService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly inboxUrl: string;
  readonly sesEndpoint: string;
  readonly dataDir: string;
  /** The environment of its handlers: set it in a test that uses shared/store on the same table. */
  readonly environment: Readonly<Record<string, string>>;
  /** The lines of its log since the test file got it. */
  readonly logLines: ServiceLog['lines'];
  /**
   * Checks its log and throws for a line that must not be there. A service of the test file's own is ended before by
   * SIGTERM, and its data removed unless `keep` is set; a shared one goes on.
   */
  stop(options?: { keep?: boolean }): Promise<void>;
}

/** A service that belongs to one test file. */
export interface OwnService extends TestService {
  readonly process: ChildProcess;
  /** Ends it by SIGKILL and waits. The data stays. */
  kill(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** No rate limit for tests that poll, except in tests that set one. Every line of the log is checked. */
const ownSettings = { REQUESTS_PER_MINUTE: '1000000', POWERTOOLS_LOG_LEVEL: 'INFO' };

/**
 * Starts a service for one test file: for tests about its settings, its start and its end, or of what all workspaces
 * share. Others take `sharedService`. `dataDir` of an earlier service starts it again on the same data.
 */
export async function startService(
  options: { dataDir?: string; env?: Record<string, string>; port?: number; clock?: boolean } = {},
): Promise<OwnService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'mailroom-'));
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-log-'));
  const { child, outputs } = await start({
    ...{ folder, dataDir, port: options.port },
    env: options.env ?? {},
    words: options.clock ? ['--clock'] : [],
  });
  const log = followLog(outputs, { fromStart: true });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    }
    if (process.env.SHOW_SERVICE_LOG && existsSync(folder)) {
      for (const file of Object.values(outputs)) process.stderr.write(readFileSync(file));
    }
    if (existsSync(folder)) log.check();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    ...addressesOf(dataDir),
    process: child,
    logLines: log.lines,
    stop: async ({ keep = false } = {}) => {
      await end('SIGTERM');
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
  };
}

/**
 * A service that all test files of a jest worker share, for tests that work in workspaces of their own (`newWorkspace`).
 * It has no faults when a test file gets it, and ends with the worker (test/globalTeardown.ts).
 */
export async function sharedService(): Promise<TestService> {
  const folder = join(process.env.MAILROOM_TEST_RUN ?? '', String(process.pid));
  const dataDir = join(folder, 'data');
  if (!isRunning(dataDir)) {
    mkdirSync(folder, { recursive: true });
    const env = { MAILROOM_LAUNCHER: String(process.pid) };
    (await start({ folder, dataDir, port: undefined, env })).child.unref();
  }
  const addresses = addressesOf(dataDir);
  await fetch(`${addresses.sesEndpoint}/_control/faults`, { method: 'PUT', body: '{}' });
  const log = followLog(outputsIn(folder));
  return { ...addresses, logLines: log.lines, stop: async () => log.check() };
}

const outputsIn = (folder: string): ServiceOutputs => ({
  stdout: join(folder, 'stdout.log'),
  stderr: join(folder, 'stderr.log'),
});

interface Start {
  /** Of its outputs. */
  readonly folder: string;
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** More options of `npm start`. */
  readonly words?: readonly string[];
}

async function start({ folder, dataDir, port = 0, env, words = [] }: Start) {
  const outputs = outputsIn(folder);
  const [stdout, stderr] = [outputs.stdout, outputs.stderr].map((file) => openSync(file, 'w')) as [number, number];
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    ['infra/local/main.ts', '--port', String(port), '--data', dataDir, ...words],
    { cwd: root, env: ownEnvironment({ ...ownSettings, ...env }), stdio: ['ignore', stdout, stderr] },
  );
  for (const descriptor of [stdout, stderr]) closeSync(descriptor);
  while (!readFileSync(outputs.stdout, 'utf8').includes('Mailroom is ready')) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended with ${child.exitCode}: ${readFileSync(outputs.stderr, 'utf8')}`);
    }
    await sleep(20);
  }
  return { child, outputs };
}

function isRunning(dataDir: string): boolean {
  const runtime = readJson<RuntimeFile>(runtimeFile(dataDir));
  try {
    return runtime !== null && process.kill(runtime.pid, 0);
  } catch {
    return false;
  }
}

function addressesOf(dataDir: string) {
  const dev = readJson<DevFile>(devFile(dataDir));
  const runtime = readJson<RuntimeFile>(runtimeFile(dataDir));
  if (!dev || !runtime) throw new Error(`No service runs on ${dataDir}.`);
  return {
    baseUrl: dev.base_url,
    apiKey: dev.api_key,
    workspaceId: dev.workspace_id,
    inboxUrl: dev.inbox_url,
    sesEndpoint: runtime.environment.AWS_ENDPOINT_URL_SESV2 ?? '',
    dataDir,
    environment: runtime.environment,
  };
}
