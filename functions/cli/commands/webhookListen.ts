import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { WebhookEventType } from '../../../shared/domain/webhook/webhook.ts';
import type { Context } from '../../../shared/services/context.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '../../../shared/services/webhooks/webhooks.ts';
import { inWorkspace, type WorkspaceOption } from '../command.ts';
import { isServiceRunning, startCommand } from '../connect/local.ts';
import { type CommandOutput, printable } from '../output.ts';

export interface ListenOptions extends WorkspaceOption {
  readonly forwardTo?: string;
  readonly events: readonly WebhookEventType[];
}

/** Headers to forward; the others concern this connection only. */
const forwardedHeaders = /^(content-type|user-agent|service-.*|webhook-.*)$/;

/** Shorter than the timeout of Mailroom’s delivery, so that a receiver without a response becomes a 502. */
const forwardMilliseconds = 14_000;

/** Events arrive on a loopback address, which only a service on this machine can reach. */
export async function requireLocalService(_program: Command, command: Command): Promise<void> {
  const { stack, data, forwardTo } = command.optsWithGlobals<ListenOptions>();
  if (stack) command.error('error: a deployment on AWS cannot reach this machine: use "webhook deliveries" instead');
  if (forwardTo && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    command.error(`error: "${forwardTo}" is not a URL such as http://127.0.0.1:3000/hooks`);
  }
  if (!(await isServiceRunning(data)))
    command.error(`error: no service is running on this data folder: start it with ${startCommand(data)}`);
}

/** Registers a webhook for a temporary server, and prints its events until the command is interrupted. */
export async function listen(options: ListenOptions): Promise<CommandOutput | null> {
  const context = await inWorkspace(options);
  await removeLeftovers(context);
  const server = createServer((request, response) => {
    receive(request, options).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(502).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const webhook = await createWebhook(context, {
    name: nameOf(process.pid),
    url,
    events: [...options.events],
    enabled: true,
  });
  const target = options.forwardTo ? ` and forwarding to ${options.forwardTo}` : '';
  process.stderr.write(
    `Listening${target}. While it runs, deliveries are signed with ${webhook.secret}. Stop with Ctrl-C.\n`,
  );
  await interrupted();
  await deleteWebhook(context, { id: webhook.id });
  await close(server);
  return null;
}

const nameOf = (pid: number): string => `webhook listen ${pid}`;

/** Deletes the webhooks of listeners that were killed. */
async function removeLeftovers(context: Context): Promise<void> {
  const { entries } = await listWebhooks(context, { limit: 100, after: undefined });
  for (const { id, name } of entries) {
    const [, pid] = /^webhook listen (\d+)$/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) await deleteWebhook(context, { id });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Prints and forwards an event; returns the status for Mailroom. */
async function receive(request: IncomingMessage, { forwardTo, json }: ListenOptions): Promise<number> {
  const body = await readText(request);
  const forwarded = Object.entries(request.headers).filter(([name]) => forwardedHeaders.test(name));
  const headers = Object.fromEntries(forwarded.map(([name, value]) => [name, String(value)]));
  const response = forwardTo ? await forward(forwardTo, body, headers) : { status: 200, note: '' };
  const type = headers['service-event-type'] ?? '';
  process.stdout.write(
    json ? `${JSON.stringify({ headers, body })}\n` : `${printable(type)} ${body}${response.note}\n`,
  );
  return response.status;
}

async function forward(url: string, body: string, headers: Record<string, string>) {
  try {
    const signal = AbortSignal.timeout(forwardMilliseconds);
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    await response.arrayBuffer();
    return { status: response.status, note: ` → ${response.status}` };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: 502, note: ` → ${cause instanceof Error ? cause.message : message}` };
  }
}
