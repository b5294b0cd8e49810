import { accessLogBytes } from './costs/accessLog.ts';
import { type Consumption, gigabyteSecondsOf } from './costs/consumption.ts';
import { itemsOf, keptText, type Stored, storedOf } from './costs/storage.ts';
import { type Call, type LoadResult, load, spread } from './load.ts';
import prices from './prices.json' with { type: 'json' };
import { timeBetween } from './processorTime.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Linus', 'Radia', 'Tim'];
const lastNames = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Hamilton', 'Torvalds', 'Perlman'];
const domains = ['gmail.com', 'example.net', 'corp.example'];
const of = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

interface Upserts {
  readonly added: LoadResult;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Milliseconds of handlers and gateway for each subscriber; null where it is not measured. */
  readonly processorMilliseconds: number | null;
  readonly stored: Stored;
}

/** Subscribers added one by one by the API: how fast, and what one takes. */
export async function benchSubscribers({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const upserts = await measureUpserts(service, quick ? 600 : 3000);
    return { title: 'Subscribers', rows: rowsOf(upserts), figures: { upserts }, consumption: consumptionOf(upserts) };
  } finally {
    await service.stop().catch(() => {});
  }
}

function personAt(index: number) {
  const [firstName, lastName] = [of(firstNames, index), of(lastNames, Math.floor(index / firstNames.length))];
  const email = `${firstName}.${lastName}${index}@${of(domains, index)}`.toLowerCase();
  return { email, firstName, lastName };
}

async function measureUpserts(service: BenchService, total: number): Promise<Upserts> {
  const headers = { Authorization: `Bearer ${service.dev.api_key}`, 'Content-Type': 'application/json' };
  const call = (index: number): Call => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/subscribers`,
    headers,
    body: JSON.stringify({ ...personAt(index), tags: ['newsletter'], double_opt_in: false }),
  });
  const expect = 201;
  await load({ clients: 4, total: 100, expect }, (index) => call(1_000_000 + index));
  const used = service.processorTime();
  const added = await load({ clients: 10, total, expect }, (index) => call(5_000_000 + index));
  const seconds = timeBetween(used, service.processorTime())?.['handlers, workers, gateway'];
  await service.startMeter();
  await load({ clients: 1, total: 20, expect }, (index) => call(2_000_000 + index));
  const { calls } = await service.readMeter();
  const sum = (units: 'writeUnits' | 'readUnits') => calls.reduce((all, each) => all + each[units], 0) / 20;
  const processorMilliseconds = seconds === undefined ? null : (seconds * 1000) / total;
  const stored = await storedOfSubscriber(service);
  return { added, writeUnits: sum('writeUnits'), readUnits: sum('readUnits'), processorMilliseconds, stored };
}

/** On average; subscribers are kept until they are erased. */
async function storedOfSubscriber(service: BenchService): Promise<Stored> {
  const items = await itemsOf(service);
  const kindOf = (pk: string, sk: string) => {
    if (/#ADDRESS#/.test(pk)) return sk === 'ADDRESS' ? 'person' : undefined;
    return /#TERM#/.test(pk) ? 'search term' : undefined;
  };
  const count = items.filter(({ pk, sk }) => kindOf(pk?.S ?? '', sk?.S ?? '') === 'person').length;
  return storedOf(items, count, kindOf);
}

function consumptionOf({ writeUnits, readUnits, processorMilliseconds, stored }: Upserts): Consumption[] {
  if (processorMilliseconds === null) return [];
  return [
    {
      what: 'subscribers, added by the API with consent',
      gatewayCalls: 1,
      functionCalls: 1,
      gigabyteSeconds: gigabyteSecondsOf({
        memoryMegabytes: 512,
        processorMilliseconds,
        // The key, the address, and a transaction, which counts as two calls.
        waitingMilliseconds: 4 * prices.assumed.tableCallMilliseconds,
      }),
      readUnits,
      writeUnits,
      logBytes:
        prices.assumed.functionLogBytes + accessLogBytes({ method: 'POST', path: '/api/v1/subscribers', status: 201 }),
      tableByteMonths: stored.tableByteMonths,
      indexByteMonths: stored.indexByteMonths,
    },
  ];
}

function rowsOf({ added, writeUnits, readUnits, stored }: Upserts): Row[] {
  const { calls, perSecond, milliseconds, failures } = added;
  return [
    {
      what: 'new subscribers, 10 clients',
      measured: `${perSecond.toFixed(0)}/s, ${spread(milliseconds, calls)}, ${failures} failures`,
      budget: '150/s',
      ok: perSecond >= 150 && failures === 0,
    },
    {
      what: 'units of a new subscriber, the call’s own key and rate window included',
      measured: `${writeUnits.toFixed(1)} write, ${readUnits.toFixed(1)} read`,
    },
    { what: 'kept of a subscriber, if for a year', measured: keptText(stored) },
  ];
}
