import type { Person } from '../../shared/domain/person/subscriber.ts';
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

/** Subscribers: how fast they are added, and that reading them costs the same however many there are. */
export async function benchSubscribers({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    Object.assign(process.env, service.runtime.environment);
    const upserts = await measureUpserts(service, quick ? 600 : 3000);
    const small = 1000;
    const large = quick ? 10_000 : 100_000;
    await seed(service, 0, small);
    await settle();
    const few = await measureReads(service);
    await seed(service, small, large);
    await settle();
    const many = await measureReads(service);
    return {
      title: 'Subscribers',
      head: `Times of reads are medians of ${samples}.`,
      rows: [...upsertRows(upserts), ...few.map((read, index) => readRow(read, many[index] ?? read, small, large))],
      figures: { upserts, small: few, large: many },
      consumption: consumptionOf(upserts),
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

/** The engine has put what was written in its place. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5000));

const headersOf = (service: BenchService) => ({
  Authorization: `Bearer ${service.dev.api_key}`,
  'Content-Type': 'application/json',
});

function personAt(index: number) {
  const [firstName, lastName] = [of(firstNames, index), of(lastNames, Math.floor(index / firstNames.length))];
  const email = `${firstName}.${lastName}${index}@${of(domains, index)}`.toLowerCase();
  return { email, firstName, lastName };
}

interface Upserts {
  readonly added: LoadResult;
  readonly repeated: LoadResult;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Milliseconds of handlers and gateway for each that was added; null where it is not measured. */
  readonly processorMilliseconds: number | null;
  readonly stored: Stored;
}

/** A subscriber that is added by a call of the API. */
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
        // The key, the address, and a transaction, which takes two rounds of its own.
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

async function measureUpserts(service: BenchService, total: number): Promise<Upserts> {
  const call = (index: number): Call => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/subscribers`,
    headers: headersOf(service),
    body: JSON.stringify({ ...personAt(5_000_000 + index), tags: ['newsletter'], double_opt_in: false }),
  });
  await load({ clients: 4, total: 100, expect: 201 }, (index) => call(1_000_000 + index));
  const used = service.processorTime();
  const added = await load({ clients: 10, total, expect: 201 }, call);
  const seconds = timeBetween(used, service.processorTime())?.['handlers, workers, gateway'];
  const repeated = await load({ clients: 10, total, expect: 200 }, call);
  await service.startMeter();
  await load({ clients: 1, total: 20, expect: 201 }, (index) => call(2_000_000 + index));
  const { calls } = await service.readMeter();
  const sum = (units: 'writeUnits' | 'readUnits') => calls.reduce((all, each) => all + each[units], 0) / 20;
  const processorMilliseconds = seconds === undefined ? null : (seconds * 1000) / total;
  const stored = await storedOfSubscriber(service);
  return { added, repeated, writeUnits: sum('writeUnits'), readUnits: sum('readUnits'), processorMilliseconds, stored };
}

/** Of all that were added so far; they are kept until they are erased. */
async function storedOfSubscriber(service: BenchService): Promise<Stored> {
  const items = await itemsOf(service);
  const kindOf = (pk: string, sk: string) => {
    if (/#ADDRESS#/.test(pk)) return sk === 'ADDRESS' ? 'person' : undefined;
    return /#TERM#/.test(pk) ? 'search term' : undefined;
  };
  const count = items.filter(({ pk, sk }) => kindOf(pk?.S ?? '', sk?.S ?? '') === 'person').length;
  return storedOf(items, count, kindOf);
}

interface Read {
  readonly what: string;
  readonly milliseconds: number;
  readonly units: number;
  readonly failures: number;
}

const samples = 200;
const reads = [
  ['page of 100', '?limit=100'],
  ['page of 100, one status', '?limit=100&status=subscribed'],
  ['`q`, 100 of a tenth of all', '?limit=100&q=ada'],
  ['`q`, 100 of a third of all, one status', '?limit=100&q=gmail&status=subscribed'],
  ['`q`, one person', `?limit=100&q=${encodeURIComponent(personAt(77).email)}`],
  ['look-up', `/${encodeURIComponent(personAt(77).email)}`],
] as const;

async function measureReads(service: BenchService): Promise<Read[]> {
  const found: Read[] = [];
  for (const [what, path] of reads) {
    const call = (): Call => ({
      method: 'GET',
      url: `${service.dev.base_url}/api/v1/subscribers${path}`,
      headers: headersOf(service),
    });
    await load({ clients: 1, total: 30, expect: 200 }, call);
    await service.startMeter();
    const result = await load({ clients: 1, total: samples, expect: 200 }, call);
    const { calls } = await service.readMeter();
    const units = calls.reduce((total, { readUnits }) => total + readUnits, 0) / samples;
    found.push({ what, milliseconds: result.milliseconds.p50, units, failures: result.failures });
  }
  return found;
}

/** Writes people with their index entries past the API, as the API would have. */
async function seed(service: BenchService, from: number, to: number): Promise<void> {
  const [{ BatchWriteCommand }, { documents, tableName }, { itemOf, nobody, termItemsOf }, values] = await Promise.all([
    import('../../shared/store/dynamodb/commands.ts'),
    import('../../shared/store/table/table.ts'),
    import('../../shared/store/person/personItem.ts'),
    import('../../shared/domain/person/subscriberValues.ts'),
  ]);
  const base = Date.now() - 10_000_000_000;
  const itemsAt = (index: number) => {
    const { email, ...names } = personAt(index);
    const at = new Date(base + index * 1000);
    const subscriber = values.withValues(values.newSubscriber('subscribed', at), { ...names, tags: ['seeded'] }, at);
    const person: Person = { ...nobody(service.dev.workspace_id, email), version: 1, subscriber };
    return [itemOf(person), ...termItemsOf(person)];
  };
  let next = from;
  const writer = async () => {
    while (next < to) {
      const people = Array.from({ length: Math.min(3, to - next) }, () => next++);
      const requests = people.flatMap(itemsAt).map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}

function upsertRows({ added, repeated, writeUnits, readUnits, stored }: Upserts): Row[] {
  const speed = ({ calls, perSecond, milliseconds, failures }: LoadResult) =>
    `${perSecond.toFixed(0)}/s, ${spread(milliseconds, calls)}, ${failures} failures`;
  return [
    {
      what: 'new subscribers, 10 clients',
      measured: speed(added),
      budget: '150/s',
      ok: added.perSecond >= 150 && added.failures === 0,
    },
    { what: 'the same again, nothing new', measured: speed(repeated) },
    {
      what: 'units of a new subscriber, the call’s own key and rate window included',
      measured: `${writeUnits.toFixed(1)} write, ${readUnits.toFixed(1)} read`,
    },
    { what: 'kept of a subscriber, if for a year', measured: keptText(stored) },
  ];
}

function readRow(few: Read, many: Read, small: number, large: number): Row {
  const ratio = many.milliseconds / few.milliseconds;
  return {
    what: `${few.what}: ${large.toLocaleString('en')} subscribers against ${small.toLocaleString('en')}`,
    measured:
      `${many.milliseconds.toFixed(1)} ms against ${few.milliseconds.toFixed(1)} ms (${ratio.toFixed(2)} times), ` +
      `${many.units.toFixed(1)} against ${few.units.toFixed(1)} read units`,
    budget: 'at most 1.5 times, of units 1.1',
    ok: ratio <= 1.5 && many.units <= few.units * 1.1 && few.failures + many.failures === 0,
  };
}
