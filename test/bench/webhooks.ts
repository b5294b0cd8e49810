import { setTimeout as sleep } from 'node:timers/promises';
import { eventOf, type Receiver, startReceiver } from '../acceptance/receiver.ts';
import { type Consumption, gigabyteSecondsOf } from './costs/consumption.ts';
import { itemsOf, keptText, type Stored, storedOf } from './costs/storage.ts';
import { scaleWorkspace } from './emails/sender.ts';
import { percentiles, spread } from './load.ts';
import prices from './prices.json' with { type: 'json' };
import { type ProcessorTime, timeBetween } from './processorTime.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const recipientsPerEmail = 50;

interface Units {
  readonly write: number;
  readonly read: number;
}

interface Backlog {
  /** Null where it is not measured. */
  readonly processor: ProcessorTime | null;
  readonly events: number;
  readonly seconds: number;
  readonly missing: number;
}

interface Figures {
  readonly units: Units;
  readonly idle: ReturnType<typeof percentiles> & { readonly samples: number };
  readonly backlog: Backlog;
  readonly stored: Stored;
}

/** Webhooks: what a delivery takes, how soon the first attempt comes, and how fast a backlog is delivered. */
export async function benchWebhooks({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  const receiver = await startReceiver();
  try {
    await scaleWorkspace(service);
    await send(service, 1);
    const without = await unitsOfEmail(service, 40);
    const webhook = await api(service, 'POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] });
    await send(service, 1);
    await untilReceived(receiver, 1);
    const withWebhook = await unitsOfEmail(service, 40);
    const units = { write: withWebhook.write - without.write, read: withWebhook.read - without.read };
    const idle = await idleTimes(service, receiver, quick ? 15 : 50);
    const backlog = await deliverBacklog(service, receiver, webhook.id, quick ? 1000 : 5000);
    const figures = { units, idle, backlog, stored: await storedOfDelivery(service) };
    return { title: 'Webhooks', rows: rowsOf(figures), figures, consumption: consumptionOf(figures) };
  } finally {
    await receiver.stop();
    await service.stop().catch(() => {});
  }
}

function rowsOf({ units, idle, backlog, stored }: Figures): Row[] {
  const perSecond = backlog.events / backlog.seconds;
  return [
    {
      what: `events delivered a second (a backlog of ${backlog.events} for one endpoint)`,
      measured: perSecond.toFixed(0),
      budget: '100 and more, none is missing',
      ok: perSecond >= 100 && backlog.missing === 0,
    },
    {
      what: 'first attempt after the cause, idle system',
      measured: spread(idle, idle.samples),
      budget: 'p95 under 1 s',
      ok: idle.p95 < 1000,
    },
    {
      what: 'write units per delivered event',
      measured: `${units.write.toFixed(2)} (and ${units.read.toFixed(2)} read)`,
      // A counter that two emails of the sample share is not part of a delivery.
      budget: 'at most 4.05',
      ok: units.write <= 4.05,
    },
    { what: 'kept of a delivery that succeeded at once', measured: keptText(stored) },
  ];
}

/** A delivery that succeeds at once, each in a run of its own, without the email that it is about. */
function consumptionOf({ units, backlog: { events, processor }, stored }: Figures): Consumption[] {
  const seconds = processor?.['handlers, workers, gateway'];
  if (seconds === undefined) return [];
  const { tableCallMilliseconds, receiverMilliseconds } = prices.assumed;
  return [
    {
      what: 'webhook deliveries',
      functionCalls: 1,
      gigabyteSeconds: gigabyteSecondsOf({
        memoryMegabytes: 512,
        processorMilliseconds: (seconds * 1000) / events,
        // Read, claimed, recorded.
        waitingMilliseconds: receiverMilliseconds + 3 * tableCallMilliseconds,
      }),
      readUnits: units.read,
      writeUnits: units.write,
      // Sent, received, deleted.
      queueCalls: 3,
      tableByteMonths: stored.tableByteMonths,
      indexByteMonths: stored.indexByteMonths,
    },
  ];
}

async function api(service: BenchService, method: string, path: string, body: unknown): Promise<{ id: string }> {
  const response = await fetch(`${service.dev.base_url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.dev.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<{ id: string }>;
}

let sent = 0;
function send(service: BenchService, recipients: number): Promise<{ id: string }> {
  const to = Array.from({ length: recipients }, () => `bench${sent++}@example.net`);
  const tags = [{ name: 'category', value: 'receipt' }];
  return api(service, 'POST', '/emails', { from: 'hello@example.com', to, subject: 'Your receipt', text: 'Hi', tags });
}

async function untilReceived(receiver: Receiver, count: number, timeoutSeconds = 120): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (receiver.requests.length < count && Date.now() < deadline) await sleep(10);
}

/** Units of everything that an email to one recipient causes. */
async function unitsOfEmail(service: BenchService, emails: number): Promise<Units> {
  await service.quiet();
  await service.startMeter();
  for (let count = 0; count < emails; count += 1) {
    await send(service, 1);
    // One by one: events that arrive in one batch share a counter, which would blur the difference.
    await sleep(150);
  }
  await service.quiet();
  const { calls } = await service.readMeter();
  const sum = (of: 'writeUnits' | 'readUnits') => calls.reduce((total, call) => total + call[of], 0) / emails;
  return { write: sum('writeUnits'), read: sum('readUnits') };
}

/** From the time at which the provider reports the delivery to the request at the receiver. */
async function idleTimes(service: BenchService, receiver: Receiver, samples: number): Promise<Figures['idle']> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const count = receiver.requests.length + 1;
    await send(service, 1);
    await untilReceived(receiver, count, 30);
    const request = receiver.requests[count - 1];
    if (!request) throw new Error('An event did not arrive within 30 seconds.');
    times.push(request.at - new Date(eventOf(request).created_at).getTime());
    await sleep(200);
  }
  return { ...percentiles(times), samples };
}

/** Deliveries are held back while the webhook is disabled, so that only their delivery is measured. */
async function deliverBacklog(
  service: BenchService,
  receiver: Receiver,
  webhookId: string,
  events: number,
): Promise<Backlog> {
  await api(service, 'PATCH', `/webhooks/${webhookId}`, { enabled: false });
  for (let count = 0; count < events; count += recipientsPerEmail) await send(service, recipientsPerEmail);
  await service.quiet();
  const before = receiver.requests.length;
  const used = service.processorTime();
  const began = performance.now();
  await api(service, 'PATCH', `/webhooks/${webhookId}`, { enabled: true });
  await untilReceived(receiver, before + events, 300);
  const seconds = (performance.now() - began) / 1000;
  const ids = new Set(receiver.requests.slice(before).map((request) => eventOf(request).id));
  const processor = timeBetween(used, service.processorTime());
  return { events, seconds, processor, missing: events - ids.size };
}

/** On average of all deliveries so far. */
async function storedOfDelivery(service: BenchService): Promise<Stored> {
  const items = await itemsOf(service);
  const kindOf = (pk: string, sk: string) => (/#WEBHOOK#/.test(pk) && sk.startsWith('whd_') ? 'delivery' : undefined);
  const count = items.filter(({ pk, sk }) => kindOf(pk?.S ?? '', sk?.S ?? '')).length;
  return storedOf(items, count, kindOf);
}
