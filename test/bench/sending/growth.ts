import { type LoadResult, load } from '../load.ts';
import type { Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

const megabyte = 1024 * 1024;

interface Growth {
  readonly emails: number;
  readonly first: LoadResult['milliseconds'];
  readonly last: LoadResult['milliseconds'];
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly failures: number;
}

/** How a send and the memory of the service change as emails pile up. */
export async function measureGrowth(service: BenchService, send: Sender, emails: number): Promise<Growth> {
  const sample = 1000;
  const options = { clients: 10, expect: 202 };
  const first = await load({ ...options, total: sample }, send);
  await service.quiet();
  const before = await service.readMeter();
  const bulk = await load({ ...options, total: emails - 2 * sample }, send);
  await service.quiet();
  const last = await load({ ...options, total: sample }, send);
  await service.quiet();
  const after = await service.readMeter();
  return {
    emails,
    first: first.milliseconds,
    last: last.milliseconds,
    heapBytes: after.heapBytes - before.heapBytes,
    residentBytes: after.residentBytes - before.residentBytes,
    failures: first.failures + bulk.failures + last.failures,
  };
}

export function growthRows({ emails, first, last, heapBytes, residentBytes, failures }: Growth): Row[] {
  const signed = (bytes: number) => `${bytes >= 0 ? '+' : ''}${(bytes / megabyte).toFixed(0)} MB`;
  const count = emails.toLocaleString('en');
  return [
    {
      what: `a send with ${count} emails stored against one with 1,000`,
      measured: `p50 × ${(last.p50 / first.p50).toFixed(2)} (${first.p50.toFixed(0)} to ${last.p50.toFixed(0)} ms)`,
    },
    {
      what: `memory of the service after ${count} sends`,
      measured: `heap and buffers ${signed(heapBytes)}, resident ${signed(residentBytes)}`,
      budget: 'no growth beyond 50 MB, none fails',
      ok: heapBytes <= 50 * megabyte && failures === 0,
    },
  ];
}
