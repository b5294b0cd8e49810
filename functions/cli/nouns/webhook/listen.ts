import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { EventType } from '../../../../shared/domain/webhook/eventType.ts';
import type { Context } from '../../../../shared/services/context.ts';
import { createWebhook } from '../../../../shared/services/webhooks/create.ts';
import { deleteWebhook } from '../../../../shared/services/webhooks/delete.ts';
import { listWebhooks } from '../../../../shared/services/webhooks/list.ts';
import type { WorkspaceOption } from '../../action.ts';
import { isServiceRunning } from '../../connect/local.ts';
import { inWorkspace } from '../../context.ts';
import { type Output, printable } from '../../output.ts';

export interface ListenOptions extends WorkspaceOption {
  readonly forwardTo?: string;
  readonly events: readonly EventType[];
}

/** Headers that are worth handing on; the others are about this connection. */
const handedOn = /^(content-type|user-agent|service-.*)$/;

/** Shorter than what Mailroom waits for us, so that it hears of a silent receiver from here. */
const forwardMilliseconds = 14_000;

/** Events come here by loopback, which only a service on this machine can reach. */
export async function requireLocalService(_program: Command, command: Command): Promise<void> {
  const { stack, data, forwardTo } = command.optsWithGlobals<ListenOptions>();
  if (stack) command.error('error: a deployment cannot reach this machine: see "webhook deliveries" instead');
  if (forwardTo && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    command.error(`error: "${forwardTo}" is no URL such as http://127.0.0.1:3000/hooks`);
  }
  if (!(await isServiceRunning(data))) command.error('error: no service runs on this data: npm start');
}

/** Subscribes a server of its own for as long as it runs, and prints what it is sent. */
export async function listen(options: ListenOptions): Promise<Output | null> {
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
  process.stderr.write(`Listening${target}. Signed with ${webhook.secret} while it lasts. Ctrl-C ends it.\n`);
  await interrupted();
  await deleteWebhook(context, { id: webhook.id });
  await close(server);
  return null;
}

const nameOf = (pid: number): string => `webhook listen ${pid}`;

/** Of listeners that were killed: their subscriptions lead nowhere. */
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

/** Prints an event and hands it on; answers the status that Mailroom is to see. */
async function receive(request: IncomingMessage, { forwardTo, json }: ListenOptions): Promise<number> {
  const body = await readText(request);
  const kept = Object.entries(request.headers).filter(([name]) => handedOn.test(name));
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  const answered = forwardTo ? await forward(forwardTo, body, headers) : { status: 200, told: '' };
  const type = headers['service-event-type'] ?? '';
  process.stdout.write(
    json ? `${JSON.stringify({ headers, body })}\n` : `${printable(type)} ${body}${answered.told}\n`,
  );
  return answered.status;
}

async function forward(url: string, body: string, headers: Record<string, string>) {
  try {
    const signal = AbortSignal.timeout(forwardMilliseconds);
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    await answer.arrayBuffer();
    return { status: answer.status, told: ` → ${answer.status}` };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: 502, told: ` → ${cause instanceof Error ? cause.message : message}` };
  }
}
