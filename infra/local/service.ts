import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { mcpEndpoint } from '../../shared/contract/mcp.ts';
import { methodsOf } from '../../shared/contract/methods.ts';
import { config } from '../../shared/platform/config.ts';
import { consoleEndpoints } from '../consoleEndpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpoints, fallback as fallbackEndpoint, workerEntry } from '../endpoints.ts';
import { queues, rules } from '../resources.ts';
import { type Disk, watchDisk } from './disk.ts';
import { type Engines, startEngines } from './engines/engines.ts';
import { type DevFile, devFile, readJson, runtimeFile, secretFile, writePrivateJson } from './files.ts';
import { type Gateway, type GatewayHandler, type GatewayTarget, startGateway } from './gateway/gateway.ts';
import { consumeQueue, type QueueHandler } from './messaging/consumers.ts';
import { runRules } from './scheduler/rules.ts';

export interface RunningService {
  readonly dev: DevFile;
  readonly files: { readonly dev: string };
  /** Signs whoever started the service in to the console, once. */
  readonly signInUrl: string;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Called when an engine has ended and could not be started again. */
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
    const engines = await startEngines({
      dataDir: options.dataDir,
      env: process.env,
      onLost: options.onLost,
      sesPort: options.port > 0 ? options.port + 1 : 0,
    });
    running.defer(() => engines.stop());
    return await serve(options.dataDir, gateway, engines, running);
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
  for (const work of await startWorkers(engines, disk)) running.defer(() => work.stop());
  gateway.serve(targets, { fallback, requestsPerMinute: config('REQUESTS_PER_MINUTE') });
  writePrivateJson(runtimeFile(dataDir), { pid: process.pid, port: gateway.port, environment });
  running.defer(() => rmSync(runtimeFile(dataDir), { force: true }));
  // Last in, first out: no call is taken any more before workers and engines end.
  running.defer(() => gateway.stop());
  const { createSignInLink } = await import('./seed.ts');
  const signInUrl = await createSignInLink();
  return { dev, files: { dev: devFile(dataDir) }, signInUrl, stop: () => running.disposeAsync() };
}

/** The handlers read their environment when they are loaded: this comes before. */
function setEnvironment(dataDir: string, baseUrl: string, engines: Engines): Record<string, string> {
  const environment = {
    ...engines.environment,
    PUBLIC_URL: baseUrl,
    SERVICE_SECRET_FILE: secretFile(dataDir),
    ALLOW_LOOPBACK: 'true',
    ...(engines.inboxUrl && { INBOX_URL: engines.inboxUrl }),
    CONSOLE_URL: `${baseUrl}/console`,
    ...givenProvider(),
  };
  process.env.POWERTOOLS_LOG_LEVEL ??= 'WARN';
  process.env.POWERTOOLS_SERVICE_NAME ??= 'mailroom';
  Object.assign(process.env, environment);
  return environment;
}

/** An OpenID Connect provider of one's own, which the command line must hear of too. */
function givenProvider(): Record<string, string> {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET_FILE'] as const;
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/**
 * A third of all modules, which few sessions need: console and MCP server are loaded by their first call, which waits a
 * tenth of a second for it. All other handlers are there before the service says that it is ready.
 */
const loadedWhenCalled: ReadonlySet<string> = new Set(
  [...consoleEndpoints, mcpEndpoint].map((endpoint) => endpoint.function.entry),
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

/** The first start makes a workspace; later ones only follow the port. */
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

async function startWorkers(engines: Engines, disk: Disk): Promise<{ stop(): Promise<void> }[]> {
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
  const timers = Object.values(rules).map(async (definition) =>
    runRules({
      definition,
      handler: await load<(event: ScheduledEvent, context: Context) => Promise<unknown>>(
        workerEntry(definition.worker),
      ),
    }),
  );
  return Promise.all([...consumers, ...timers]);
}
