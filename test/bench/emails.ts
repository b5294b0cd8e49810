import { dirname } from 'node:path';
import { load } from './load.ts';
import type { BenchContext, Section } from './report.ts';
import { measureLog, sendingConsumption } from './sending/consumption.ts';
import { growthRows, measureGrowth } from './sending/growth.ts';
import { listRows } from './sending/listRows.ts';
import { defaultList, measureLists } from './sending/lists.ts';
import { measureRounds, roundRows } from './sending/rounds.ts';
import { scaleWorkspace, senderOf } from './sending/sender.ts';
import { type BenchService, startBenchService } from './service.ts';

/** After so many the processor time of a send falls no more (docs/decisions/0011-cost.md). */
const warmSends = 6000;

/** Single email: calls and units under each list, then speed, processor time, memory, and how a send changes as emails pile up. */
export async function benchEmails({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    await scaleWorkspace(service);
    const send = senderOf(service);
    await load({ clients: 10, total: quick ? 400 : warmSends, expect: 202 }, send);
    const rounds = await measureRounds(service, send, quick);
    const growth = await measureGrowth(service, send, quick ? 3000 : 100_000);
    const readyMilliseconds = await restart(service);
    const lists = await measureLists();
    const functionLogBytes = await measureLog();
    return {
      title: 'Single email',
      head:
        `Rows that name no list are of the default, "${defaultList}". "Until its answer" is what a caller waits for; "in ` +
        'all" is until the email is delivered, recorded and its minute settled, by a hundred emails of ten ' +
        'clients. Times are by plain HTTP to loopback on this machine: no TLS, no arm64, no network.',
      rows: [
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
      figures: {
        lists: Object.fromEntries(lists.map(({ list, ...counts }) => [list, counts])),
        functionLogBytes,
        rounds,
        growth,
        readyMilliseconds,
      },
      consumption: sendingConsumption(lists, rounds, functionLogBytes),
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
