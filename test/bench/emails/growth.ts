import { load } from '../load.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

const megabyte = 1024 * 1024;
const tenths = 10;
const sampleMilliseconds = 200;

interface Growth {
  readonly emails: number;
  readonly heapBytes: number;
  /** The maximum in each tenth of the sends: a leak grows from one to the next, garbage does not. */
  readonly highestResidentBytes: readonly number[];
  readonly failures: number;
}

/** How the memory of a warm service changes over many sends. */
export async function measureGrowth(service: BenchService, send: Sender, emails: number): Promise<Growth> {
  await service.quiet();
  const before = await service.readMeter();
  const highestResidentBytes: number[] = [];
  let failures = 0;
  for (let tenth = 0; tenth < tenths; tenth += 1) {
    const work = () => load({ clients: 10, total: Math.round(emails / tenths), expect: 202 }, send);
    const { result, highest } = await watched(service, work);
    highestResidentBytes.push(highest);
    failures += result.failures;
  }
  await service.quiet();
  const after = await service.readMeter();
  return { emails, heapBytes: after.heapBytes - before.heapBytes, highestResidentBytes, failures };
}

async function watched<Result>(service: BenchService, work: () => Promise<Result>) {
  let highest = 0;
  const sample = () => {
    highest = Math.max(highest, service.residentBytes());
  };
  const timer = setInterval(sample, sampleMilliseconds);
  const result = await work().finally(() => clearInterval(timer));
  sample();
  return { result, highest };
}

export function growthRows({ emails, heapBytes, highestResidentBytes, failures }: Growth): Row[] {
  const inMegabytes = (bytes: number) => (bytes / megabyte).toFixed(0);
  const count = emails.toLocaleString('en');
  const [begin = 0, end = 0] = [highestResidentBytes[0], highestResidentBytes.at(-1)];
  return [
    {
      what: `heap and buffers of the handlers after ${count} sends`,
      measured: `${heapBytes >= 0 ? '+' : ''}${inMegabytes(heapBytes)} MB`,
      budget: 'no growth beyond 50 MB, none fails',
      ok: heapBytes <= 50 * megabyte && failures === 0,
    },
    {
      what: `resident memory of service and DynamoDB engine at the most, in each tenth of ${count} sends`,
      measured: `${highestResidentBytes.map(inMegabytes).join(', ')} MB`,
      budget: 'no growth beyond 50 MB from the first to the last',
      ok: end - begin <= 50 * megabyte,
    },
  ];
}
