import { existsSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RuntimeFile, readJson, runtimeFile } from '../../../infra/local/files.ts';
import type { Connection } from './environment.ts';

const patienceMilliseconds = 60_000;

/**
 * The engines of the service that runs on this folder, or engines of our own that end with the command. Another command
 * may hold the folder for a moment, and a service that is starting has not yet written where its engines are: both are
 * waited for.
 */
export async function connectLocally(data: string, mayCreate: boolean): Promise<Connection> {
  const dataDir = resolve(data);
  if (!mayCreate && !existsSync(dataDir)) {
    throw new Error(`There is no data folder ${dataDir}: "npm start" and "workspace create" make one.`);
  }
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const running = await runningService(dataDir);
    if (running) return { environment: running.environment, close: async () => {} };
    // Only now: loading the engines takes longer than most commands.
    const [{ startOwnEngines }, { isFolderInUse }] = await Promise.all([
      import('./ownEngines.ts'),
      import('../../../infra/local/folder.ts'),
    ]);
    try {
      return await startOwnEngines(dataDir);
    } catch (error) {
      if (!isFolderInUse(error) || Date.now() > deadline) throw error;
    }
    await wait(200);
  }
}

export const isServiceRunning = async (data: string): Promise<boolean> =>
  (await runningService(resolve(data))) !== null;

/** What the service wrote, when its process lives and its table answers: a pid may be somebody else's by now. */
async function runningService(dataDir: string): Promise<RuntimeFile | null> {
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
