import { type LoadResult, load, spread } from '../load.ts';
import { type ProcessorTime, perOperation, timeBetween } from '../processorTime.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

/** Concurrent clients, the provider's latency, and whether its events arrive meanwhile. */
interface Conditions {
  readonly clients: number;
  readonly providerMilliseconds: number;
  readonly feedback: boolean;
  /** Sends a second. */
  readonly budget?: number;
}

export interface Speed extends Conditions {
  readonly result: LoadResult;
  /** From the first call until everything is recorded, the bench's own clients included. Null: not measured. */
  readonly processor: ProcessorTime | null;
}

/** With and without feedback: the difference is the processor time of feedback. */
const measuredConditions: readonly Conditions[] = [
  { clients: 10, providerMilliseconds: 0, feedback: true, budget: 170 },
  { clients: 10, providerMilliseconds: 0, feedback: false },
  { clients: 50, providerMilliseconds: 50, feedback: false, budget: 300 },
];

export async function measureSpeeds(service: BenchService, send: Sender, quick: boolean): Promise<Speed[]> {
  const speeds: Speed[] = [];
  for (const conditions of measuredConditions) speeds.push(await measureSpeed(service, send, conditions, quick));
  await service.setFaults();
  return speeds;
}

/** Delays the provider's events until after the measurement. */
const afterwardsMilliseconds = 86_400_000;

async function measureSpeed(
  service: BenchService,
  send: Sender,
  conditions: Conditions,
  quick: boolean,
): Promise<Speed> {
  const { clients, providerMilliseconds, feedback } = conditions;
  await service.setFaults({
    latency_ms: providerMilliseconds,
    ...(!feedback && { event_delay_ms: afterwardsMilliseconds }),
  });
  // The first half warms up. The number of sends keeps the garbage collection of the quiet end a small part of the total.
  const total = quick ? 600 : 4000;
  await load({ clients, total: total / 2, expect: 202 }, send);
  await service.quiet();
  const before = timeOf(service);
  const result = await load({ clients, total, expect: 202 }, send);
  await service.quiet();
  return { ...conditions, result, processor: timeBetween(before, timeOf(service)) };
}

function timeOf(service: BenchService): ProcessorTime | null {
  const time = service.processorTime();
  const { user, system } = process.cpuUsage();
  return time && { ...time, 'clients of the bench': (user + system) / 1e6 };
}

export const speedRows = (speeds: readonly Speed[]): Row[] => [
  ...speeds.map(speedRow),
  ...speeds
    .filter(({ providerMilliseconds }) => providerMilliseconds === 0)
    .map((speed) => ({
      what: `processor time per send, ${nameOf(speed)}`,
      measured: perOperation(speed.processor, speed.result.calls),
      ...(speed.feedback && speed.processor && withinSeven(speed)),
    })),
];

function withinSeven({ processor, result }: Speed) {
  const { 'clients of the bench': _, ...own } = processor ?? {};
  const milliseconds = (Object.values(own).reduce((total, seconds) => total + seconds, 0) * 1000) / result.calls;
  return { budget: '7 ms without the clients', ok: milliseconds <= 7 };
}

const nameOf = ({ clients, providerMilliseconds, feedback }: Conditions): string =>
  `${clients} clients, provider ${providerMilliseconds} ms, ${feedback ? 'with' : 'no'} feedback`;

function speedRow(speed: Speed): Row {
  const { calls, perSecond, milliseconds, failures } = speed.result;
  const measured = `${perSecond.toFixed(0)} a second; ${spread(milliseconds, calls)}`;
  return {
    what: `sends, ${nameOf(speed)}`,
    measured: measured + (failures > 0 ? `; ${failures} failed` : ''),
    ...(speed.budget !== undefined && {
      budget: `${speed.budget} a second`,
      ok: perSecond >= speed.budget && failures === 0,
    }),
  };
}
