import { accessLogBytes } from '../costs/accessLog.ts';
import { type Consumption, dollarsOf, gigabyteSecondsOf } from '../costs/consumption.ts';
import { itemsOf, keptText, type Stored, storedOf } from '../costs/storage.ts';
import type { MeteredCall } from '../counting.ts';
import { scaleWorkspace } from '../emails/sender.ts';
import prices from '../prices.json' with { type: 'json' };
import { type ProcessorTime, timeBetween } from '../processorTime.ts';
import type { BenchContext, Row, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';

/** What was counted of some runs, each. */
interface Taken {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Messages to the queue of automations. */
  readonly messages: number;
}

interface Figures {
  readonly runs: number;
  readonly whole: Taken;
  /** Seconds of the process's processor for all runs. */
  readonly processor: ProcessorTime | null;
  readonly stored: Stored;
  readonly speeds: readonly Speed[];
}

interface Speed {
  readonly runs: number;
  readonly transitions: number;
  readonly seconds: number;
}

/** The $44 of the design and the list of emails by recipient, without storage. */
const mostDollarsOfRequests = 46;
/** Of a second, on a laptop. */
const leastTransitions = 200;
const rests = 3;

/** Automations: what a run of two messages with a wait between takes, and how many runs move on in a second. */
export async function benchAutomations({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService(undefined, {}, ['--clock']);
  try {
    await scaleWorkspace(service);
    const counted = await countRuns(service, quick ? 50 : 200);
    const speeds: Speed[] = [];
    for (const runs of quick ? [1, 50] : [1, 10, 50, 200, 1000]) speeds.push(await speedOf(service, runs));
    const figures = { ...counted, speeds };
    return {
      title: 'Automations',
      head:
        'A run: an event with an external id, a message, a wait of two hours, a second message; both delivered. The rest ' +
        'of the time is moved by the local clock, and what the sweeper does anyway is not counted.',
      rows: rowsOf(figures),
      figures,
      consumption: consumptionOf(figures),
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

const step = (key: string, type: string, config: object) => ({ key, type, config });
const inRow = (steps: readonly { readonly key: string }[]) => ({
  steps,
  connections: steps.slice(1).map(({ key }, index) => ({ from: steps[index]?.key, to: key })),
});

async function api(service: BenchService, method: string, path: string, body: unknown): Promise<{ id: string }> {
  const response = await fetch(`${service.dev.base_url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.dev.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<{ id: string }>;
}

async function advance(service: BenchService, duration: string): Promise<void> {
  const url = `${service.runtime.environment.AWS_ENDPOINT_URL_SESV2}/clock`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ advance: duration }) });
  if (!answer.ok) throw new Error(await answer.text());
}

let people = 0;
/** New subscribers. */
async function subscribers(service: BenchService, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, () => `run${people++}@example.net`);
  for (const email of emails) await api(service, 'POST', '/subscribers', { email, double_opt_in: false });
  return emails;
}

async function countRuns(service: BenchService, runs: number): Promise<Omit<Figures, 'speeds'>> {
  const emails = await subscribers(service, runs);
  const { id } = await api(service, 'POST', '/automations', {
    ...{ name: 'Two messages', from: 'hello@example.com', status: 'enabled' },
    ...inRow([
      step('start', 'trigger', { event_name: 'signed_up' }),
      step('welcome', 'send_email', { subject: 'Welcome', html: '<p>Hello {{contact.firstName|there}}.</p>' }),
      step('rest', 'delay', { duration: '2 hours' }),
      step('tips', 'send_email', { subject: 'Three tips', html: '<p>Here they are.</p>' }),
    ]),
  });
  await service.quiet();
  await service.startMeter();
  const used = service.processorTime();
  for (const [index, email] of emails.entries())
    await api(service, 'POST', '/events', { name: 'signed_up', email, external_id: `${id}-${index}` });
  await service.quiet();
  await advance(service, '3 hours');
  await service.quiet();
  const processor = timeBetween(used, service.processorTime());
  const calls = (await service.readMeter()).calls.filter(isOfRuns);
  await requireCompleted(service, id, runs);
  return { runs, whole: takenOf(calls, runs), processor, stored: await storedOfRun(service, id, runs) };
}

/**
 * What the sweeper does for a run is part of it; what it does every minute is not, nor what the local clock looks at
 * between its hops.
 */
const isOfRuns = ({ worker, item, queued, command, isOfDue }: MeteredCall): boolean =>
  worker === 'sweep' ? item?.includes('#RUN#') === true || queued !== undefined : !(command === 'Query' && isOfDue);

function takenOf(calls: readonly MeteredCall[], runs: number): Taken {
  const sum = (of: (call: MeteredCall) => number) => calls.reduce((total, call) => total + of(call), 0) / runs;
  return {
    writeUnits: sum(({ writeUnits }) => writeUnits),
    readUnits: sum(({ readUnits }) => readUnits),
    messages: sum(({ queued }) => (queued?.url.endsWith('automation') ? queued.messages : 0)),
  };
}

async function requireCompleted(service: BenchService, id: string, runs: number): Promise<void> {
  const response = await fetch(`${service.dev.base_url}/api/v1/automations/${id}/stats`, {
    headers: { Authorization: `Bearer ${service.dev.api_key}` },
  });
  const { runs: counted } = (await response.json()) as { readonly runs: { readonly completed: number } };
  if (counted.completed !== runs) throw new Error(`Not all runs are completed: ${JSON.stringify(counted)}`);
}

const runKinds: readonly (readonly [kind: string, pk: RegExp, sk: RegExp])[] = [
  ['run', /#AUTOMATION#/, /^(RUN|DATA)#/],
  ['event', /#ADDRESS#/, /^EVENT#/],
  ['key of an event', /#ADDRESS#/, /^EVENTKEY#/],
  ['activity', /#ADDRESS#/, /^ACTIVITY#/],
  ['enrolment', /#ADDRESS#/, /^ENROLMENT#/],
];

/** Without its emails, which the sheet has a row for. */
async function storedOfRun(service: BenchService, id: string, runs: number): Promise<Stored> {
  const items = await itemsOf(service);
  const kindOf = (pk: string, sk: string) =>
    runKinds.find(([kind, ofPk, ofSk]) => ofPk.test(pk) && ofSk.test(sk) && (kind !== 'run' || pk.includes(id)))?.[0];
  return storedOf(items, runs, kindOf);
}

/** Runs that all go on at the same moment, some times: each time is a message, a read of the person and a write. */
async function speedOf(service: BenchService, runs: number): Promise<Speed> {
  const name = `speed_${runs}`;
  const emails = await subscribers(service, runs);
  const delays = Array.from({ length: rests }, (_, index) => step(`d${index}`, 'delay', { duration: '1 hour' }));
  const { id } = await api(service, 'POST', '/automations', {
    ...{ name, from: 'hello@example.com', status: 'enabled' },
    ...inRow([step('start', 'trigger', { event_name: name }), ...delays, step('end', 'exit', {})]),
  });
  for (let from = 0; from < runs; from += 100)
    await api(
      service,
      'POST',
      '/events/batch',
      emails.slice(from, from + 100).map((email) => ({ name, email })),
    );
  await service.quiet();
  const began = performance.now();
  await advance(service, `${rests + 1} hours`);
  const seconds = (performance.now() - began) / 1000;
  await requireCompleted(service, id, runs);
  return { runs, transitions: runs * rests, seconds };
}

function rowsOf(figures: Figures): Row[] {
  const { whole, stored, speeds } = figures;
  const fastest = Math.max(...speeds.map(({ transitions, seconds }) => transitions / seconds));
  const [consumption] = consumptionOf(figures);
  return [
    {
      what: 'write units of a run',
      measured: `${whole.writeUnits.toFixed(1)} (and ${whole.readUnits.toFixed(1)} read)`,
    },
    { what: 'messages to the queue of automations, a run', measured: whole.messages.toFixed(2) },
    { what: 'kept of a run, without its emails', measured: keptText(stored) },
    {
      what: 'runs that go on in a second',
      measured: speeds
        .map(({ runs, transitions, seconds }) => `${(transitions / seconds).toFixed(0)} with ${runs} due at once`)
        .join(', '),
      budget: `${leastTransitions} and more`,
      ok: fastest >= leastTransitions,
    },
    ...(consumption ? [requestsRow(consumption)] : []),
  ];
}

const withoutName = ({ what: _, ...counted }: Consumption) => counted;

function requestsRow(consumption: Consumption): Row {
  const { storage: _storage, messages: _fee, ...requests } = dollarsOf(withoutName(consumption));
  const dollars = Object.values(requests).reduce((sum, one) => sum + one, 0) * 1e6;
  return {
    what: 'a million runs, without storage and SES’s fee',
    measured: `$${dollars.toFixed(2)}`,
    budget: `$${mostDollarsOfRequests} at most`,
    ok: dollars <= mostDollarsOfRequests,
  };
}

/** Events of the provider: `Send` and `Delivery` of two messages. */
const topicMessages = 4;
/** A batch of the worker has up to five messages; one that comes alone has a run of its own. */
const messagesOfBatch = 5;

function consumptionOf({ runs, whole, processor, stored }: Figures): Consumption[] {
  const seconds = processor?.['handlers, workers, gateway'];
  if (seconds === undefined) return [];
  const { tableCallMilliseconds, providerCallMilliseconds, functionLogBytes } = prices.assumed;
  return [
    {
      what: 'runs of automations: an event, two messages and a wait',
      gatewayCalls: 1,
      functionCalls: 1 + whole.messages / messagesOfBatch + topicMessages / 10,
      gigabyteSeconds: gigabyteSecondsOf({
        memoryMegabytes: 1024,
        processorMilliseconds: (seconds * 1000) / runs,
        // Of a batch, whose runs go on side by side.
        waitingMilliseconds:
          (whole.messages * 6 * tableCallMilliseconds + 2 * providerCallMilliseconds) / messagesOfBatch,
      }),
      readUnits: whole.readUnits,
      writeUnits: whole.writeUnits,
      // Sent, received and deleted; the provider's events are received and deleted in tens.
      queueCalls: whole.messages * (1 + 2 / messagesOfBatch) + (2 * topicMessages) / 10,
      topicMessages,
      logBytes: 2 * functionLogBytes + accessLogBytes({ method: 'POST', path: '/api/v1/events', status: 202 }),
      tableByteMonths: stored.tableByteMonths,
      indexByteMonths: stored.indexByteMonths,
      messages: 2,
    },
  ];
}
