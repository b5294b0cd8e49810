import type { MeteredCall } from '../counting.ts';
import { type LoadResult, load, spread } from '../load.ts';
import { type ProcessorTime, perOperation, timeBetween } from '../processorTime.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

/** How many call at once, how long the provider takes, and whether its events come while they call. */
interface Conditions {
  readonly clients: number;
  readonly providerMilliseconds: number;
  readonly feedback: boolean;
}

interface Speed extends Conditions {
  readonly result: LoadResult;
  /** From the first call until all that it brings is recorded, with the clients of the bench. Null: not measured. */
  readonly processor: ProcessorTime | null;
}

export interface Round extends Speed {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Milliseconds a send in which at least one call of an engine was under way; null where several sends overlap. */
  readonly engineMilliseconds: number | null;
}

const levels = [1, 10, 50, 200];

/**
 * Every number of clients against a provider of 0 ms, 50 ms and 4 s. A first round of each is thrown away. Units are
 * counted when all speeds are measured: a round that came after the meter was slower than one that did not.
 */
export async function measureRounds(service: BenchService, send: Sender, quick: boolean): Promise<Round[]> {
  const conditions: Conditions[] = [
    ...levels.map((clients) => ({ clients, providerMilliseconds: 0, feedback: true })),
    ...levels.map((clients) => ({ clients, providerMilliseconds: 0, feedback: false })),
    ...levels.map((clients) => ({ clients, providerMilliseconds: 50, feedback: false })),
    ...(quick ? [200] : levels).map((clients) => ({ clients, providerMilliseconds: 4000, feedback: false })),
  ];
  const speeds: Speed[] = [];
  for (const condition of conditions) speeds.push(await measureSpeed(service, send, condition, quick));
  const rounds: Round[] = [];
  for (const speed of speeds) rounds.push({ ...speed, ...(await countUnits(service, send, speed)) });
  await service.setFaults();
  return rounds;
}

/** Events of the provider that come when all is measured. */
const afterwardsMilliseconds = 86_400_000;

async function setProvider(service: BenchService, { providerMilliseconds, feedback }: Conditions): Promise<void> {
  await service.setFaults({
    latency_ms: providerMilliseconds,
    ...(!feedback && { event_delay_ms: afterwardsMilliseconds }),
  });
}

async function measureSpeed(
  service: BenchService,
  send: Sender,
  conditions: Conditions,
  quick: boolean,
): Promise<Speed> {
  const { clients } = conditions;
  await setProvider(service, conditions);
  const total = sendsOf(conditions, quick);
  await load({ clients, total: Math.ceil(total / 2), expect: 202 }, send);
  await service.quiet();
  const before = timeOf(service);
  const result = await load({ clients, total, expect: 202 }, send);
  await service.quiet();
  return { ...conditions, result, processor: timeBetween(before, timeOf(service)) };
}

/** By sends of their own: counting takes processor time too, since the engine then tells of each call what it took. */
async function countUnits(service: BenchService, send: Sender, speed: Speed) {
  const { clients, feedback, result } = speed;
  await setProvider(service, speed);
  const counted = Math.max(Math.ceil(result.calls / 4), Math.min(result.calls, clients * 5));
  await service.startMeter();
  await load({ clients, total: counted, expect: 202 }, send);
  await service.quiet();
  // What the service's own sweeper settles meanwhile are the sends of rounds before.
  const calls = (await service.readMeter()).calls.filter(({ worker }) => worker !== 'sweep');
  const sum = (of: (call: MeteredCall) => number) => calls.reduce((all, call) => all + of(call), 0) / counted;
  return {
    writeUnits: sum(({ writeUnits }) => writeUnits),
    readUnits: sum(({ readUnits }) => readUnits),
    engineMilliseconds: clients === 1 && !feedback ? busyMilliseconds(calls) / counted : null,
  };
}

/**
 * Enough to be past the start of it, and not for ever; and where a budget is held against them so many that what the
 * garbage collector does once it is quiet again, which a service under load never does, is a small part of them.
 */
function sendsOf({ clients, providerMilliseconds }: Conditions, quick: boolean): number {
  if (providerMilliseconds >= 1000) return clients * (quick ? 2 : 5);
  if (quick) return 150 * Math.min(clients, 4);
  return clients === 1 ? 2000 : 4000;
}

function timeOf(service: BenchService): ProcessorTime | null {
  const time = service.processorTime();
  const { user, system } = process.cpuUsage();
  return time && { ...time, 'clients of the bench': (user + system) / 1e6 };
}

/** How long at least one of these calls was under way. */
export function busyMilliseconds(calls: readonly Pick<MeteredCall, 'startedAt' | 'endedAt'>[]): number {
  let busy = 0;
  let until = 0;
  for (const { startedAt, endedAt } of [...calls].sort((a, b) => a.startedAt - b.startedAt)) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}

export function roundRows(rounds: readonly Round[]): Row[] {
  const processorOf = ({ feedback, providerMilliseconds, clients }: Round) =>
    feedback || (providerMilliseconds === 0 && clients === 10);
  return [
    ...rounds.map(speedRow),
    ...rounds.filter(processorOf).map((round) => ({
      what: `processor time per send, ${nameOf(round)}`,
      measured: perOperation(round.processor, round.result.calls),
      ...(round.feedback && round.clients === 10 && round.processor && withinSeven(round)),
    })),
    ...rounds
      .filter(
        ({ feedback, providerMilliseconds, clients }) => feedback || (providerMilliseconds >= 1000 && clients === 200),
      )
      .map((round) => ({
        what: `units per send, ${nameOf(round)}`,
        measured: `${round.writeUnits.toFixed(2)} write, ${round.readUnits.toFixed(2)} read, settlements apart`,
        // Without feedback there is no outcome, so that the budget of a delivered email says nothing.
        ...(round.feedback && { budget: '5.2 write', ok: round.writeUnits <= 5.2 }),
      })),
  ];
}

/** The clients of the bench are no part of what is asked for. */
function withinSeven({ processor, result }: Round) {
  const { 'clients of the bench': _, ...own } = processor ?? {};
  const milliseconds = (Object.values(own).reduce((total, seconds) => total + seconds, 0) * 1000) / result.calls;
  return { budget: '7 ms without the clients', ok: milliseconds <= 7 };
}

const nameOf = ({ clients, providerMilliseconds, feedback }: Conditions): string =>
  `${clients} client${clients === 1 ? '' : 's'}, provider ${providerMilliseconds} ms, ${feedback ? 'with' : 'no'} feedback`;

function speedRow(round: Round): Row {
  const { calls, perSecond, milliseconds, failures } = round.result;
  const measured =
    `${perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0)} a second; ${spread(milliseconds, calls)}` +
    (round.engineMilliseconds === null ? '' : `; engines ${round.engineMilliseconds.toFixed(1)} ms of a send`) +
    (failures > 0 ? `; ${failures} failed` : '');
  const what = `sends, ${nameOf(round)}`;
  const wanted = wantedOf(round);
  if (wanted === null) return { what, measured, ...(failures > 0 && { budget: 'none fails', ok: false }) };
  return { what, measured, budget: `${wanted} a second`, ok: perSecond >= wanted && failures === 0 };
}

function wantedOf({ clients, providerMilliseconds, feedback }: Conditions): number | null {
  if (feedback && clients === 10) return 170;
  return clients === 50 && providerMilliseconds === 50 ? 300 : null;
}
