import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevFile, RuntimeFile } from '../../infra/local/files.ts';
import { ownEnvironment } from './environment.ts';
import { followLog, type ServiceLog } from './serviceLog.ts';

/** A real service in a process of its own, on free ports and a folder of its own, driven from outside. */
export interface TestService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly inboxUrl: string;
  readonly sesEndpoint: string;
  readonly dataDir: string;
  /** The environment of its handlers: set it in a test that wants to use shared/store on the same table. */
  readonly environment: Readonly<Record<string, string>>;
  readonly process: ChildProcess;
  /** The lines of its log so far. */
  readonly logLines: ServiceLog['lines'];
  /** Ends it with SIGTERM and waits; the data stays when `keep` is set. Throws when its log said what it must not. */
  stop(options?: { keep?: boolean }): Promise<void>;
  /** Kills it with SIGKILL and waits. The data stays. */
  kill(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** Polling on a slow machine must not run into the rate limit: its tests set their own. Every line is looked at. */
const ownSettings = { REQUESTS_PER_MINUTE: '1000000', POWERTOOLS_LOG_LEVEL: 'INFO' };

/** `dataDir` of an earlier service starts it again on the same data. */
export async function startService(
  options: { dataDir?: string; env?: Record<string, string>; port?: number } = {},
): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'mailroom-'));
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    ['infra/local/main.ts', '--port', String(options.port ?? 0), '--data', dataDir],
    { cwd: root, env: ownEnvironment({ ...ownSettings, ...options.env }), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = followLog(child);
  await log.ready;
  const dev = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile;
  const { environment } = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as RuntimeFile;
  return {
    baseUrl: dev.base_url,
    apiKey: dev.api_key,
    workspaceId: dev.workspace_id,
    inboxUrl: dev.inbox_url,
    sesEndpoint: environment.AWS_ENDPOINT_URL_SESV2 ?? '',
    dataDir,
    environment,
    process: child,
    logLines: log.lines,
    stop: async ({ keep = false } = {}) => {
      await end(child, 'SIGTERM');
      log.check();
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
    kill: async () => {
      await end(child, 'SIGKILL');
      log.check();
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
