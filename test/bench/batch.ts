import { load } from './load.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { scaleWorkspace, senderOf } from './sending/sender.ts';
import { type BenchService, startBenchService } from './service.ts';

const emails = 100;

interface Way {
  readonly milliseconds: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly calls: number;
}

/** A hundred emails in one call, and in a hundred calls, each until everything is delivered and recorded. */
export async function benchBatch({ quick }: BenchContext): Promise<Section> {
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
    const rows: Row[] = [];
    const figures: Record<string, unknown> = {};
    for (const providerMilliseconds of quick ? [0] : [0, 50]) {
      await service.setFaults({ latency_ms: providerMilliseconds });
      const one = await measure(service, 1, batch);
      for (const clients of [1, 10]) {
        const hundred = await measure(service, clients, single, emails);
        rows.push(...rowsOf(one, hundred, `provider ${providerMilliseconds} ms, singles by ${clients}`));
        figures[`${providerMilliseconds} ms, ${clients}`] = { one, hundred };
      }
    }
    return { title: 'Batch', rows, figures };
  } finally {
    await service.stop().catch(() => {});
  }
}

const rounds = 5;

/** The median of the times, and what the last round took besides. */
async function measure(
  service: BenchService,
  clients: number,
  call: Parameters<typeof load>[1],
  total = 1,
): Promise<Way> {
  const times: number[] = [];
  let reading: Omit<Way, 'milliseconds'> = { writeUnits: 0, readUnits: 0, calls: 0 };
  for (let round = 0; round < rounds; round += 1) {
    await service.quiet();
    await service.startMeter();
    const began = performance.now();
    const { failures } = await load({ clients, total, expect: 202 }, call);
    if (failures > 0) throw new Error(`${failures} of ${total} calls failed.`);
    times.push(performance.now() - began);
    await service.quiet();
    const { calls } = await service.readMeter();
    const sum = (name: 'writeUnits' | 'readUnits') => calls.reduce((all, one) => all + one[name], 0);
    reading = { writeUnits: sum('writeUnits'), readUnits: sum('readUnits'), calls: calls.length };
  }
  return { ...reading, milliseconds: times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0 };
}

function rowsOf(one: Way, hundred: Way, name: string): Row[] {
  const row = (what: string, of: keyof Way, most: number, unit: string): Row => {
    const share = one[of] / hundred[of];
    return {
      what: `${what}, ${name}`,
      measured: `${one[of].toFixed(0)} against ${hundred[of].toFixed(0)}${unit}: ${(share * 100).toFixed(0)} %`,
      budget: `${most * 100} %`,
      ok: share <= most,
    };
  };
  return [
    row('write units of 100 delivered emails in one call', 'writeUnits', 0.6, ''),
    row('time until the answer', 'milliseconds', 0.5, ' ms'),
    { what: `AWS calls, ${name}`, measured: `${one.calls} against ${hundred.calls}` },
    { what: `read units, ${name}`, measured: `${one.readUnits.toFixed(0)} against ${hundred.readUnits.toFixed(0)}` },
  ];
}
