import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { damagedFile } from '../sqlite.ts';
import { type EngineFiles, endLeftover, isAnswering, spawnSupervised, stopChild } from './dynamodbProcess.ts';
import { closeServer, type Engine, listenLocally } from './engine.ts';
import { engineBinary } from './engineBinary.ts';

const attempts = 3;
/** An engine that ends more often than this within a minute will not stay. */
const deathsPerMinute = 3;

export interface DynamoDbOptions {
  /** Folder of the database file, the engine's log and its pid file. The caller sees to it that nobody else uses it. */
  readonly dataDir: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Called when the engine has ended and does not start again. */
  readonly onLost?: ((error: Error) => void) | undefined;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * DynamoDB as a child process that never outlives this one, however this one ends. When it ends alone, it is started
 * again on its data and at its address: calls in between fail, as they may on AWS, and are tried again by their callers.
 *
 * Throws when the platform has no engine or the engine does not answer within ten seconds.
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

/** Without a port it takes a free one, and another one if somebody was quicker. */
async function start(
  binary: string,
  files: EngineFiles,
  wanted: number | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  await endLeftover(files.pid, files.database);
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await freePort());
    const child = spawnSupervised(binary, port, files);
    if (await isAnswering(`http://127.0.0.1:${port}`, files.log, child)) return { child, port };
    await stopChild(child);
    if (wanted !== undefined || attempt === attempts) throw new Error(failure(files));
  }
}

/** The last thing that it said is the reason. */
function failure({ database, log }: EngineFiles): string {
  const said = readFileSync(log, 'utf8').trim().split('\n').at(-1) || 'it gives no reason';
  if (/not a valid SQLite database|malformed/.test(said)) return damagedFile(database);
  return `The local DynamoDB engine did not start on ${database}: ${said}`;
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
  const deaths: number[] = [];

  async function restart(): Promise<void> {
    const recent = deaths.filter((moment) => performance.now() - moment < 60_000);
    deaths.push(performance.now());
    if (recent.length >= deathsPerMinute)
      throw new Error(`The local DynamoDB engine ends again and again: see ${log}.`);
    logger.error('The local DynamoDB engine has ended by itself: it is started again, with its data.');
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
