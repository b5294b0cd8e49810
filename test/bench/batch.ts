import { scaleWorkspace, senderOf } from './emails/sender.ts';
import { load } from './load.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const emails = 100;
const rounds = 5;

interface Cost {
  readonly milliseconds: number;
  readonly writeUnits: number;
  readonly calls: number;
}

/** A hundred emails in one call against a hundred calls by ten clients, each until all are delivered and recorded. */
export async function benchBatch(_: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    await scaleWorkspace(service);
    const single = senderOf(service);
    const batch = () => {
      const many = Array.from({ length: emails }, () => single());
      const { method = 'POST', url, headers } = single();
      return { method, url: `${url}/batch`, headers, body: `[${many.map(({ body }) => body).join(',')}]` };
    };
    await load({ clients: 4, total: 400, expect: 202 }, single);
    await load({ clients: 1, total: 2, expect: 202 }, batch);
    const one = await measure(service, { clients: 1, total: 1 }, batch);
    const hundred = await measure(service, { clients: 10, total: emails }, single);
    return { title: 'Batch', rows: rowsOf(one, hundred), figures: { one, hundred } };
  } finally {
    await service.stop().catch(() => {});
  }
}

/** The median of the times, and the counts of the last round. */
async function measure(
  service: BenchService,
  { clients, total }: { readonly clients: number; readonly total: number },
  call: Parameters<typeof load>[1],
): Promise<Cost> {
  const times: number[] = [];
  let counts = { writeUnits: 0, calls: 0 };
  for (let round = 0; round < rounds; round += 1) {
    await service.quiet();
    await service.startMeter();
    const began = performance.now();
    const { failures } = await load({ clients, total, expect: 202 }, call);
    if (failures > 0) throw new Error(`${failures} of ${total} calls failed.`);
    times.push(performance.now() - began);
    await service.quiet();
    const { calls } = await service.readMeter();
    counts = { writeUnits: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0), calls: calls.length };
  }
  return { ...counts, milliseconds: times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0 };
}

function rowsOf(one: Cost, hundred: Cost): Row[] {
  const row = (what: string, of: keyof Cost, most: number, unit: string): Row => {
    const share = one[of] / hundred[of];
    return {
      what: `${what}, 100 emails in one call against 100 calls by 10 clients`,
      measured: `${one[of].toFixed(0)} against ${hundred[of].toFixed(0)}${unit}: ${(share * 100).toFixed(0)} %`,
      budget: `${most * 100} %`,
      ok: share <= most,
    };
  };
  return [
    row('write units', 'writeUnits', 0.6, ''),
    row('time until the answer', 'milliseconds', 0.5, ' ms'),
    row('AWS calls', 'calls', 0.5, ''),
  ];
}
