import { eventOf, type Receiver, startReceiver } from '../acceptance/receiver.ts';
import { deliveryConsumption, type Speed, type Units } from './costs/deliveryConsumption.ts';
import { itemsOf, keptText, type Stored, storedOf } from './costs/storage.ts';
import { percentiles, spread } from './load.ts';
import { timeBetween } from './processorTime.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const recipientsPerEmail = 50;
const retrySeconds = 30;

/** Webhooks, from the call that sends an email to the receiver that hears of its delivery. */
export async function benchWebhooks({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  const receiver = await startReceiver();
  try {
    Object.assign(process.env, service.runtime.environment);
    const { updateSettings } = await import('../../shared/store/workspace/workspaces.ts');
    await updateSettings(service.dev.workspace_id, { plan: 'scale' });
    await send(service, 1);
    await settle();
    const without = await unitsOfEmail(service, 40);
    const webhook = await api(service, 'POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] });
    await send(service, 1);
    await heard(receiver, 1);
    const withWebhook = await unitsOfEmail(service, 40);
    const units = { write: withWebhook.write - without.write, read: withWebhook.read - without.read };
    const idle = await idleTimes(service, receiver, quick ? 15 : 50);
    const pipeline = await burst(service, receiver, quick ? 1000 : 5000);
    const backlog = await release(service, receiver, webhook.id, quick ? 1000 : 5000);
    const late = await retryLateness(service, receiver);
    const stored = await storedOfDelivery(service);
    return {
      title: 'Webhooks',
      rows: rowsOf({ units, idle, pipeline, backlog, late, stored }),
      figures: { units, idle, pipeline, backlog, late, stored },
      consumption: deliveryConsumption(units, backlog, stored),
    };
  } finally {
    await receiver.stop();
    await service.stop().catch(() => {});
  }
}

interface Figures {
  readonly units: Units;
  readonly idle: Idle;
  readonly pipeline: Speed;
  readonly backlog: Speed;
  readonly late: number;
  readonly stored: Stored;
}

function rowsOf({ units, idle, pipeline, backlog, late, stored }: Figures): Row[] {
  const perSecond = ({ events, seconds }: Speed) => events / seconds;
  return [
    {
      what: `events delivered a second (a backlog of ${backlog.events} for one endpoint)`,
      measured: perSecond(backlog).toFixed(0),
      budget: '100 and more, none is missing',
      ok: perSecond(backlog) >= 100 && backlog.missing === 0,
    },
    {
      what: `the same from the sending of their emails on (${pipeline.events} events)`,
      measured: perSecond(pipeline).toFixed(0),
      budget: 'none is missing',
      ok: pipeline.missing === 0,
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
      // A counter that two of the emails share is no part of a delivery.
      budget: 'at most 4.05',
      ok: units.write <= 4.05,
    },
    {
      what: `a retry after ${retrySeconds} s comes late by`,
      measured: `${late.toFixed(1)} s`,
      budget: 'under 5 s',
      ok: late < 5,
    },
    { what: 'kept of a delivery that succeeded at once', measured: keptText(stored) },
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

/** Feedback and deliveries of what was sent have come and gone. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2000));

async function heard(receiver: Receiver, count: number, timeoutSeconds = 120): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (receiver.requests.length < count && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Units of everything that one email to one recipient costs until all is quiet. */
async function unitsOfEmail(service: BenchService, emails: number): Promise<Units> {
  await settle();
  await service.startMeter();
  for (let count = 0; count < emails; count += 1) {
    await send(service, 1);
    // One by one: feedback that comes in one batch shares a counter, which would blur the difference.
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await settle();
  const { calls } = await service.readMeter();
  const sum = (of: 'writeUnits' | 'readUnits') => calls.reduce((total, call) => total + call[of], 0) / emails;
  return { write: sum('writeUnits'), read: sum('readUnits') };
}

type Idle = ReturnType<typeof percentiles> & { readonly samples: number };

/** From the time at which the provider reports the delivery to the request at the receiver. */
async function idleTimes(service: BenchService, receiver: Receiver, samples: number): Promise<Idle> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const count = receiver.requests.length + 1;
    await send(service, 1);
    await heard(receiver, count, 30);
    const request = receiver.requests[count - 1];
    if (!request) throw new Error('An event did not come within 30 seconds.');
    times.push(request.at - new Date(eventOf(request).created_at).getTime());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { ...percentiles(times), samples };
}

async function burst(service: BenchService, receiver: Receiver, events: number): Promise<Speed> {
  const before = receiver.requests.length;
  const used = service.processorTime();
  const began = performance.now();
  for (let count = 0; count < events; count += recipientsPerEmail) await send(service, recipientsPerEmail);
  await heard(receiver, before + events, 300);
  const seconds = (performance.now() - began) / 1000;
  const ids = new Set(receiver.requests.slice(before).map((request) => eventOf(request).id));
  const processor = timeBetween(used, service.processorTime());
  return { events, seconds, processor, missing: events - ids.size };
}

/** Everything up to the queue is done before it begins: the deliveries were held back. */
async function release(service: BenchService, receiver: Receiver, webhookId: string, events: number): Promise<Speed> {
  await api(service, 'PATCH', `/webhooks/${webhookId}`, { enabled: false });
  for (let count = 0; count < events; count += recipientsPerEmail) await send(service, recipientsPerEmail);
  await settleFeedback(webhookId, service.dev.workspace_id, events);
  const before = receiver.requests.length;
  const used = service.processorTime();
  const began = performance.now();
  await api(service, 'PATCH', `/webhooks/${webhookId}`, { enabled: true });
  await heard(receiver, before + events, 300);
  const seconds = (performance.now() - began) / 1000;
  const ids = new Set(receiver.requests.slice(before).map((request) => eventOf(request).id));
  const processor = timeBetween(used, service.processorTime());
  return { events, seconds, processor, missing: events - ids.size };
}

/** Waits until so many deliveries are held back. */
async function settleFeedback(webhookId: string, workspaceId: string, events: number): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    if ((await heldBack(webhookId, workspaceId)) >= events) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(`After five minutes fewer than ${events} deliveries were held back.`);
}

async function heldBack(webhookId: string, workspaceId: string): Promise<number> {
  const { listDeliveries } = await import('../../shared/store/webhook/deliveries.ts');
  let held = 0;
  let after: string | undefined;
  do {
    const page = await listDeliveries({ workspaceId, webhookId }, { limit: 1000, after, now: new Date() });
    held += page.deliveries.filter(({ error }) => error === 'held').length;
    after = page.last ?? undefined;
  } while (after);
  return held;
}

/** Seconds beyond the due time of a first retry. */
async function retryLateness(service: BenchService, receiver: Receiver): Promise<number> {
  receiver.answer(500);
  const before = receiver.requests.length;
  await send(service, 1);
  await heard(receiver, before + 1);
  receiver.answer(200);
  await heard(receiver, before + 2);
  const [first, second] = receiver.requests.slice(before);
  return ((second?.at ?? Number.POSITIVE_INFINITY) - (first?.at ?? 0)) / 1000 - retrySeconds;
}

/** Of all deliveries so far, of which one was tried twice. */
async function storedOfDelivery(service: BenchService): Promise<Stored> {
  const items = await itemsOf(service);
  const kindOf = (pk: string, sk: string) => (/#WEBHOOK#/.test(pk) && sk.startsWith('whd_') ? 'delivery' : undefined);
  const count = items.filter(({ pk, sk }) => kindOf(pk?.S ?? '', sk?.S ?? '')).length;
  return storedOf(items, count, kindOf);
}
