import { dirname } from 'node:path';
import { load } from './load.ts';
import type { BenchContext, Section } from './report.ts';
import { measureLog, measureSettlement, sendingConsumption } from './sending/consumption.ts';
import { countRows, measureCounts } from './sending/counts.ts';
import { growthRows, measureGrowth } from './sending/growth.ts';
import { listConsumption, listRows, measureLists } from './sending/lists.ts';
import { measureRounds, roundRows } from './sending/rounds.ts';
import { scaleWorkspace, senderOf } from './sending/sender.ts';
import { type BenchService, startBenchService } from './service.ts';

/** Single email: speed, processor time, calls, units, memory, and how a send changes as emails pile up. */
export async function benchEmails({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    await scaleWorkspace(service);
    const send = senderOf(service);
    await load({ clients: 4, total: 400, expect: 202 }, send);
    const counts = await measureCounts(service, send);
    const settlementReadUnits = await measureSettlement(service.dev.workspace_id);
    const rounds = await measureRounds(service, send, quick);
    const growth = await measureGrowth(service, send, quick ? 3000 : 100_000);
    const readyMilliseconds = await restart(service);
    const lists = await measureLists();
    const consumption = sendingConsumption(counts, rounds, settlementReadUnits, await measureLog());
    return {
      title: 'Single email',
      rows: [
        ...countRows(counts),
        {
          what: 'read units per email when its minute is settled, besides',
          measured: settlementReadUnits.toFixed(2),
        },
        ...listRows(lists),
        ...roundRows(rounds),
        ...growthRows(growth),
        {
          what: 'second start, ready after',
          measured: `${(readyMilliseconds / 1000).toFixed(2)} s`,
          budget: 'under 3 s',
          ok: readyMilliseconds < 3000,
        },
      ],
      figures: { counts, settlementReadUnits, lists, rounds, growth, readyMilliseconds },
      consumption: [...consumption, ...listConsumption(lists, consumption)],
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

async function restart(service: BenchService): Promise<number> {
  await service.stop({ keep: true });
  const again = await startBenchService(dirname(service.runtime.environment.SERVICE_SECRET_FILE ?? ''));
  await again.stop();
  return again.readyMilliseconds;
}
