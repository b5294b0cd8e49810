import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { mcpEndpoint, resendEndpoint } from '../../shared/contract/endpoints.ts';
import { methodsOf } from '../../shared/contract/routing.ts';
import { nowMilliseconds } from '../../shared/platform/clock.ts';
import { config } from '../../shared/platform/config.ts';
import type { Endpoint } from '../endpoints.ts';
import { consoleEndpoints, endpoints, fallback as fallbackEndpoint, workerEntry } from '../endpoints.ts';
import { queues, rules } from '../resources.ts';
import { answerClock, type ServiceClock } from './clock/clockRoute.ts';
import { serviceClock } from './clock/serviceClock.ts';
import { type Engines, startEngines } from './engines/engines.ts';
import { type DevFile, devFile, readJson, runtimeFile, secretFiles, writePrivateJson } from './files.ts';
import { type Gateway, type GatewayHandler, type GatewayTarget, startGateway } from './gateway/gateway.ts';
import { type Consumer, consumeQueue, type QueueHandler } from './messaging/consumers.ts';
import { queuesPart } from './messaging/queuesPart.ts';
import { runRules } from './scheduler/rules.ts';
import { sweeperPart } from './scheduler/sweeperPart.ts';

export interface RunningService {
  readonly dev: DevFile;
  readonly files: { readonly dev: string };
  /** A link that signs its reader in to the console, once. */
  readonly signInUrl: string;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Whether `/clock`, beside the inbox, may move the service's clock forward. */
  readonly clock?: boolean;
  /** Called when an engine has ended and cannot be restarted. */
  readonly onLost?: (error: Error) => void;
}

const root = join(import.meta.dirname, '..', '..');
const defaultTimeoutSeconds = 29;

/** Starts engines, handlers, queue consumers and rules in this process, and serves the routes on the loopback address. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const running = new AsyncDisposableStack();
  try {
    const gateway = await startGateway({ port: options.port });
    running.defer(() => gateway.stop());
    let clock: ServiceClock = null;
    const engines = await startEngines({
      dataDir: options.dataDir,
      isClockMoved: options.clock ?? false,
      answerClock: (call) => answerClock(clock, call),
      env: process.env,
      onLost: options.onLost,
      sesPort: options.port > 0 ? options.port + 1 : 0,
    });
    running.defer(() => engines.stop());
    return await serve(options.dataDir, gateway, engines, running, async (workers) => {
      if (!options.clock) return;
      const started = await startClock(options.dataDir, engines, workers);
      running.defer(async () => started.stop());
      clock = started;
    });
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}

async function serve(
  dataDir: string,
  gateway: Gateway,
  engines: Engines,
  running: AsyncDisposableStack,
  whenWorking: (workers: Workers) => Promise<void>,
): Promise<RunningService> {
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  const environment = setEnvironment(dataDir, baseUrl, engines);
  const [targets, fallback] = await Promise.all([
    Promise.all([...endpoints, ...consoleEndpoints].map(target)),
    target(fallbackEndpoint),
  ]);
  const dev = await prepareWorkspace(dataDir, baseUrl, engines);
  const disk = watchDisk(dataDir);
  running.defer(() => disk.stop());
  const workers = await startWorkers(engines, disk);
  for (const work of [...workers.consumers, workers.sweeper]) running.defer(() => work.stop());
  await whenWorking(workers);
  gateway.serve(targets, { fallback, requestsPerMinute: config('REQUESTS_PER_MINUTE') });
  writePrivateJson(runtimeFile(dataDir), { pid: process.pid, port: gateway.port, environment });
  running.defer(() => rmSync(runtimeFile(dataDir), { force: true }));
  // Last in, first out: the gateway stops before workers and engines.
  running.defer(() => gateway.stop());
  const { createSignInLink } = await import('./seed.ts');
  const signInUrl = await createSignInLink();
  return { dev, files: { dev: devFile(dataDir) }, signInUrl, stop: () => running.disposeAsync() };
}

/** Sets the environment of the handlers, which read it when they are loaded. */
function setEnvironment(dataDir: string, baseUrl: string, engines: Engines): Record<string, string> {
  const environment = {
    ...engines.environment,
    PUBLIC_URL: baseUrl,
    ...secretFiles(dataDir),
    ALLOW_LOOPBACK: 'true',
    ...(engines.inboxUrl && { INBOX_URL: engines.inboxUrl }),
    CONSOLE_URL: `${baseUrl}/console`,
    // The command line asks it too whether all sending is held.
    ...(process.env.SENDING && { SENDING: process.env.SENDING }),
    ...givenProvider(),
  };
  process.env.POWERTOOLS_LOG_LEVEL ??= 'WARN';
  process.env.POWERTOOLS_SERVICE_NAME ??= 'mailroom';
  Object.assign(process.env, environment);
  return environment;
}

/** The user's own OpenID Connect provider; the command line needs its variables too. */
function givenProvider(): Record<string, string> {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET_FILE'] as const;
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/**
 * The console, the MCP server and what answers the `resend` client, a third of all modules, are loaded by their first call,
 * which takes a tenth of a second. All other handlers are loaded before the service is ready.
 */
const loadedWhenCalled: ReadonlySet<string> = new Set(
  [...consoleEndpoints, mcpEndpoint, resendEndpoint].map((endpoint) => endpoint.function.entry),
);

async function target(endpoint: Pick<Endpoint, 'id' | 'method' | 'path' | 'function'>): Promise<GatewayTarget> {
  const { entry, timeoutSeconds = defaultTimeoutSeconds } = endpoint.function;
  return {
    id: endpoint.id,
    methods: methodsOf(endpoint),
    path: endpoint.path,
    timeoutSeconds,
    handler: loadedWhenCalled.has(entry) ? whenCalled(entry) : await load<GatewayHandler>(entry),
  };
}

function whenCalled(entry: string): GatewayHandler {
  let handler: Promise<GatewayHandler> | undefined;
  return async (event, context) => {
    handler ??= load(entry);
    return (await handler)(event, context);
  };
}

async function load<Handler>(entry: string): Promise<Handler> {
  const module = (await import(pathToFileURL(join(root, entry)).href)) as { handler: Handler };
  return module.handler;
}

/** The first start creates a workspace; later ones update the addresses. */
async function prepareWorkspace(dataDir: string, baseUrl: string, engines: Engines): Promise<DevFile> {
  const { seed } = await import('./seed.ts');
  const before = readJson<DevFile>(devFile(dataDir), ['api_key', 'workspace_id']);
  const { apiKey, workspaceId } = before
    ? { apiKey: before.api_key, workspaceId: before.workspace_id }
    : await seed(engines.clients.ses);
  const dev = {
    base_url: baseUrl,
    api_key: apiKey,
    workspace_id: workspaceId,
    inbox_url: engines.inboxUrl ?? '',
  };
  writePrivateJson(devFile(dataDir), dev);
  return dev;
}

interface Workers {
  readonly consumers: readonly Consumer[];
  /** The only rule. */
  readonly sweeper: ReturnType<typeof runRules>;
}

async function startClock(dataDir: string, { clocked }: Engines, { consumers, sweeper }: Workers) {
  const { messaging, others } = clocked;
  if (!messaging) throw new Error('The clock needs the local queues.');
  const { listNextDue } = await import('../../shared/store/dueWork.ts');
  const parts = [queuesPart(messaging, consumers), ...others, sweeperPart(sweeper, listNextDue, nowMilliseconds)];
  return serviceClock({ dataDir, parts });
}

async function startWorkers(engines: Engines, disk: Disk): Promise<Workers> {
  const consumers = Object.entries(queues).map(async ([name, definition]) => {
    const queue = engines.resources.queues[name];
    if (!queue) throw new Error(`The queue ${name} was not created.`);
    return consumeQueue({
      queueUrl: queue.url,
      queueArn: queue.arn,
      definition,
      handler: await load<QueueHandler>(workerEntry(definition.worker)),
      isPaused: disk.isFull,
    });
  });
  const definition = rules.sweep;
  type RuleHandler = (event: ScheduledEvent, context: Context) => Promise<unknown>;
  const handler = await load<RuleHandler>(workerEntry(definition.worker));
  return { consumers: await Promise.all(consumers), sweeper: runRules({ definition, handler }) };
}

/** Below this free space one of the SQLite files may soon fail to grow. */
const enoughBytes = 256 * 1024;

interface Disk {
  isFull(): boolean;
  stop(): void;
}

/**
 * Checks the free space of the data folder every second, and logs when it runs out and when it is back. Meanwhile calls
 * fail, each completely, and workers wait so that messages do not use up their attempts.
 */
function watchDisk(folder: string, logger: Pick<Console, 'error'> = console): Disk {
  let full = false;
  const look = () => {
    const { bavail, bsize } = statfsSync(folder);
    const now = bavail * bsize < enoughBytes;
    if (now && !full)
      logger.error(`The disk of ${folder} is full: calls fail, and nothing is lost. Free some space to continue.`);
    if (!now && full) logger.error(`The disk of ${folder} has free space again: Mailroom continues.`);
    full = now;
  };
  look();
  const timer = setInterval(look, 1000);
  timer.unref();
  return { isFull: () => full, stop: () => clearInterval(timer) };
}
