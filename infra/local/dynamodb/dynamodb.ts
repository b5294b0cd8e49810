import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { closeServer, type Engine, listenLocally } from '../engine/engine.ts';
import { damagedFile } from '../sqlite.ts';
import {
  type EngineFiles,
  endLeftover,
  engineBinary,
  isAnswering,
  spawnSupervised,
  stopChild,
} from './internal/dynamodbProcess.ts';

const attempts = 3;
/** An engine that ends more often than this within a minute is not restarted. */
const maxRestartsPerMinute = 3;

export interface DynamoDbOptions {
  /** Folder of the database file, the engine's log and its pid file. The caller has locked it. */
  readonly dataDir: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Called when the engine has ended and cannot be restarted. */
  readonly onLost?: ((error: Error) => void) | undefined;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * Runs DynamoDB as a child process that never outlives this process. If it crashes, it is restarted with its data and
 * at its address: calls in between fail, as they may on AWS, and are retried by their callers. Throws when the platform
 * has no engine or the engine does not answer within ten seconds.
 */
export async function startDynamoDb(options: DynamoDbOptions): Promise<Engine> {
  const binary = engineBinary();
  const folder = resolve(options.dataDir);
  mkdirSync(folder, { recursive: true });
  const files = {
    database: join(folder, 'dynamodb.db'),
    log: join(folder, 'dynamodb.log'),
    pid: join(folder, 'dynamodb.pid'),
  };
  const { child, port } = await start(binary, files, options.port);
  const watched = restartWhenItEnds(child, () => start(binary, files, port), files.log, options);
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => watched.stop() };
}

/** Without a port it takes a free one, and another one if that is taken meanwhile. */
async function start(
  binary: string,
  files: EngineFiles,
  requested: number | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  await endLeftover(files.pid, files.database);
  for (let attempt = 1; ; attempt += 1) {
    const port = requested ?? (await freePort());
    const child = spawnSupervised(binary, port, files);
    if (await isAnswering(`http://127.0.0.1:${port}`, files.log, child)) return { child, port };
    await stopChild(child);
    if (requested !== undefined || attempt === attempts) throw new Error(failure(files));
  }
}

/** The last line of the engine's log names the reason. */
function failure({ database, log }: EngineFiles): string {
  const reason = readFileSync(log, 'utf8').trim().split('\n').at(-1) || 'its log is empty';
  if (/not a valid SQLite database|malformed/.test(reason)) return damagedFile(database);
  return `The local DynamoDB engine did not start on ${database}: ${reason}`;
}

function restartWhenItEnds(
  first: ChildProcess,
  again: () => Promise<{ child: ChildProcess }>,
  log: string,
  { onLost = () => {}, logger = console }: DynamoDbOptions,
) {
  let child = first;
  let isStopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const restarts: number[] = [];

  async function restart(): Promise<void> {
    const recent = restarts.filter((moment) => performance.now() - moment < 60_000);
    restarts.push(performance.now());
    if (recent.length >= maxRestartsPerMinute) throw new Error(`The local DynamoDB engine keeps ending: see ${log}.`);
    logger.error('The local DynamoDB engine has ended unexpectedly: it is restarted with its data.');
    const started = await again().catch(() => null);
    if (!started) return restart();
    child = started.child;
    watch();
  }

  function watch(): void {
    child.once('exit', () => {
      if (!isStopping) restarting = restart().catch(onLost);
    });
  }

  watch();
  return {
    stop: async () => {
      isStopping = true;
      await restarting;
      await stopChild(child);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listenLocally(server));
  await closeServer(server);
  return Number(port);
}
