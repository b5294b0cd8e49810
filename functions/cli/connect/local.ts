import { mkdirSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEngines } from '../../../infra/local/engines.ts';
import {
  type DevFile,
  devFile,
  type RuntimeFile,
  readJson,
  runtimeFile,
  secretFile,
} from '../../../infra/local/files.ts';
import { startLocalSes } from '../../../infra/local/ses/server.ts';
import type { Connection } from './environment.ts';

const patienceMilliseconds = 10_000;

/**
 * The engines of the service that runs on this folder, or engines of our own that end with the command. Another command
 * may hold the folder for a moment, and a service that is starting has not yet written where its engines are: both are
 * waited for.
 */
export async function connectLocally(data: string): Promise<Connection> {
  const dataDir = resolve(data);
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const running = await runningService(dataDir);
    if (running) return { environment: running.environment, close: async () => {} };
    try {
      return await ownEngines(dataDir);
    } catch (error) {
      if (!isFolderInUse(error) || Date.now() > deadline) throw error;
    }
    await wait(200);
  }
}

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

async function ownEngines(dataDir: string): Promise<Connection> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const engines = await startEngines({ dataDir, env: process.env, startSes: startLocalSes });
  const baseUrl = readJson<DevFile>(devFile(dataDir))?.base_url ?? 'http://127.0.0.1:8787';
  const environment = {
    ...engines.environment,
    PUBLIC_URL: baseUrl,
    SERVICE_SECRET_FILE: secretFile(dataDir),
    ALLOW_LOOPBACK: 'true',
  };
  return { environment, close: () => engines.stop() };
}

/** SQLITE_BUSY, of the folder's lock. */
function isFolderInUse(error: unknown): boolean {
  const { cause } = error as { cause?: { errcode?: number } };
  return cause?.errcode === 5;
}
