import { type LoadResult, load } from '../load.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import { emailsSent, type Sender } from './sender.ts';

const megabyte = 1024 * 1024;
const stretches = 10;
const lookMilliseconds = 200;
const sample = 1000;

interface Growth {
  readonly emails: number;
  /** Emails that were there when the first of these was sent. */
  readonly storedBefore: number;
  readonly first: LoadResult['milliseconds'];
  readonly last: LoadResult['milliseconds'];
  readonly heapBytes: number;
  /** The most that was resident in each tenth of the sends: a leak grows from one to the next, garbage comes and goes. */
  readonly highestResidentBytes: readonly number[];
  readonly failures: number;
}

/** How a send and the memory of the service change as emails pile up. The service is warm: all that this process sent, it sent to it. */
export async function measureGrowth(service: BenchService, send: Sender, emails: number): Promise<Growth> {
  const storedBefore = emailsSent();
  const options = { clients: 10, expect: 202 };
  const first = await load({ ...options, total: sample }, send);
  await service.quiet();
  const before = await service.readMeter();
  const highestResidentBytes: number[] = [];
  let failures = 0;
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const total = Math.round((emails - 2 * sample) / stretches);
    const { result, highest } = await watched(service, () => load({ ...options, total }, send));
    highestResidentBytes.push(highest);
    failures += result.failures;
  }
  await service.quiet();
  const last = await load({ ...options, total: sample }, send);
  await service.quiet();
  const after = await service.readMeter();
  return {
    emails,
    storedBefore,
    first: first.milliseconds,
    last: last.milliseconds,
    heapBytes: after.heapBytes - before.heapBytes,
    highestResidentBytes,
    failures: first.failures + failures + last.failures,
  };
}

async function watched<Result>(service: BenchService, work: () => Promise<Result>) {
  let highest = 0;
  const look = () => {
    highest = Math.max(highest, service.residentBytes());
  };
  const timer = setInterval(look, lookMilliseconds);
  const result = await work().finally(() => clearInterval(timer));
  look();
  return { result, highest };
}

export function growthRows(growth: Growth): Row[] {
  const { emails, storedBefore, first, last, heapBytes, highestResidentBytes, failures } = growth;
  const signed = (bytes: number) => `${bytes >= 0 ? '+' : ''}${(bytes / megabyte).toFixed(0)} MB`;
  const count = emails.toLocaleString('en');
  const [begin = 0, end = 0] = [highestResidentBytes[0], highestResidentBytes.at(-1)];
  return [
    {
      what: `a send with ${(storedBefore + emails - sample).toLocaleString('en')} emails stored against one with ${storedBefore.toLocaleString('en')}`,
      measured: `p50 × ${(last.p50 / first.p50).toFixed(2)} (${first.p50.toFixed(0)} to ${last.p50.toFixed(0)} ms, of ${sample.toLocaleString('en')} each)`,
    },
    {
      what: `heap and buffers of the handlers after ${count} sends`,
      measured: signed(heapBytes),
      budget: 'no growth beyond 50 MB, none fails',
      ok: heapBytes <= 50 * megabyte && failures === 0,
    },
    {
      what: `resident memory of service and DynamoDB engine at the most, in each tenth of ${count} sends`,
      measured: `${highestResidentBytes.map((bytes) => (bytes / megabyte).toFixed(0)).join(', ')} MB`,
      budget: 'no growth beyond 50 MB from the first to the last',
      ok: end - begin <= 50 * megabyte,
    },
  ];
}
