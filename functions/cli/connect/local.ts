import { existsSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { followFolderClock } from '../../../infra/local/clock/sharedClock.ts';
import {
  type DevFile,
  devFile,
  type RuntimeFile,
  readJson,
  runtimeFile,
  secretFiles,
} from '../../../infra/local/files.ts';
import { dataFlag } from '../../../infra/local/options.ts';
import { stopwatch } from '../../../shared/platform/clock.ts';
import type { Connection } from './connection.ts';

const maxWaitMilliseconds = 60_000;

/**
 * Connects to the engines (table, queues, mail) of the service that runs on this folder, or starts engines that end with
 * the command. Waits while another command uses the folder, or while a service starts and its engines are not known yet.
 */
export async function connectLocally(data: string, mayCreateFolder: boolean): Promise<Connection> {
  const dataDir = resolve(data);
  if (!mayCreateFolder && !existsSync(dataDir)) {
    throw new Error(`There is no data folder ${dataDir}: "npm start" and "workspace create" create one.`);
  }
  const elapsed = stopwatch();
  for (;;) {
    const running = await runningService(dataDir);
    if (running) {
      // What a command writes has the time of the service.
      const release = followFolderClock(dataDir);
      return { environment: running.environment, close: async () => release() };
    }
    // Imported here because loading the engines takes longer than most commands.
    const [{ startEngines }, { isFolderInUse }] = await Promise.all([
      import('../../../infra/local/engines/engines.ts'),
      import('../../../infra/local/folder.ts'),
    ]);
    try {
      return connectionTo(await startEngines({ dataDir, env: process.env }), dataDir);
    } catch (error) {
      if (!isFolderInUse(error) || elapsed() > maxWaitMilliseconds) throw error;
    }
    await wait(200);
  }
}

/** What starts a service on a data folder: `npm start`, with what has to follow it. */
export function startCommand(data: string, flags = ''): string {
  const words = `${flags}${dataFlag(data)}`;
  return words === '' ? 'npm start' : `npm start --${words}`;
}

export const isServiceRunning = async (data: string): Promise<boolean> =>
  (await runningService(resolve(data))) !== null;

/** The runtime file of the service, if its process runs and its table answers: the pid may belong to another process. */
export async function runningService(dataDir: string): Promise<RuntimeFile | null> {
  const file = readJson<RuntimeFile>(runtimeFile(dataDir));
  if (!file || !isAlive(file.pid)) return null;
  const endpoint = file.environment.AWS_ENDPOINT_URL_DYNAMODB;
  return endpoint && (await answers(new URL(endpoint))) ? file : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connectSocket({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const end = (answered: boolean) => {
      socket.destroy();
      settle(answered);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.setTimeout(2000, () => end(false));
  });
}

/** The folder belongs to this command until the engines stop. */
function connectionTo(
  engines: { readonly environment: Readonly<Record<string, string>>; stop(): Promise<void> },
  dataDir: string,
): Connection {
  const environment = {
    ...engines.environment,
    PUBLIC_URL: readJson<DevFile>(devFile(dataDir))?.base_url ?? 'http://127.0.0.1:8787',
    ...secretFiles(dataDir),
    ALLOW_LOOPBACK: 'true',
  };
  return { environment, close: () => engines.stop() };
}
