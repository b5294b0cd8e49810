import type { MeteredCall } from '../counting.ts';
import { load } from '../load.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

export interface Counts {
  /** The calls of one send, the longest chain of five tries. */
  readonly calls: readonly MeteredCall[];
  readonly samples: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Read and write units by the kind of call, per email. */
  readonly byCommand: Readonly<Record<string, { readonly calls: number; readonly units: number }>>;
}

/** A few sends one by one for the longest chain of calls, then some until they are delivered, for the units of each. */
export async function measureCounts(service: BenchService, send: Sender): Promise<Counts> {
  let calls: readonly MeteredCall[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await service.quiet();
    await service.startMeter();
    await load({ clients: 1, total: 1, expect: 202 }, send);
    const reading = await service.readMeter();
    if (chainOf(reading.calls).length >= chainOf(calls).length) calls = reading.calls;
  }
  const samples = 100;
  await service.quiet();
  await service.startMeter();
  await load({ clients: 1, total: samples, expect: 202 }, send);
  await service.quiet();
  const reading = await service.readMeter();
  const sum = (of: (call: MeteredCall) => number) =>
    reading.calls.reduce((total, call) => total + of(call), 0) / samples;
  const kinds = Map.groupBy(reading.calls, ({ command }) => command);
  return {
    calls,
    samples,
    writeUnits: sum(({ writeUnits }) => writeUnits),
    readUnits: sum(({ readUnits }) => readUnits),
    byCommand: Object.fromEntries(
      [...kinds].map(([kind, of]) => {
        const units = of.reduce((total, { readUnits, writeUnits }) => total + readUnits + writeUnits, 0);
        return [kind, { calls: of.length / samples, units: units / samples }];
      }),
    ),
  };
}

/** The longest chain of calls of which each began after the one before had ended. */
export function chainOf(calls: readonly MeteredCall[]): MeteredCall[] {
  const found: MeteredCall[] = [];
  for (const call of [...calls].sort((a, b) => a.endedAt - b.endedAt)) {
    if (call.startedAt >= (found.at(-1)?.endedAt ?? 0)) found.push(call);
  }
  return found;
}

export function countRows({ calls, writeUnits, readUnits, byCommand }: Counts): Row[] {
  const chain = chainOf(calls);
  const kinds = Object.entries(byCommand)
    .map(([kind, { calls: made, units }]) => `${kind} ${made.toFixed(2)} × ${(units / made).toFixed(2)}`)
    .join(', ');
  return [
    {
      what: 'AWS calls of a send until its answer, SES included',
      measured: String(calls.length),
      budget: '7',
      ok: calls.length <= 7,
    },
    {
      what: 'of which one after another',
      measured: `${chain.length} (${chain.map(({ command }) => command).join(', ')})`,
      budget: '4',
      ok: chain.length <= 4,
    },
    {
      what: 'DynamoDB write units per sent and delivered email',
      measured: writeUnits.toFixed(2),
      budget: '5.2',
      ok: writeUnits <= 5.2,
    },
    {
      what: 'DynamoDB read units per sent and delivered email',
      measured: readUnits.toFixed(2),
      budget: '4',
      ok: readUnits <= 4,
    },
    { what: 'calls per sent and delivered email, and units of each', measured: kinds },
  ];
}
