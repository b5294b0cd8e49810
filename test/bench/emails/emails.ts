import { dirname } from 'node:path';
import { load } from '../load.ts';
import type { BenchContext, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { measureLog, sendingConsumption } from './consumption.ts';
import { growthRows, measureGrowth } from './growth.ts';
import { defaultList, listRows, measureLists } from './lists.ts';
import { scaleWorkspace, senderOf } from './sender.ts';
import { measureSpeeds, speedRows } from './speed.ts';

/** After this many sends the processor time of a send no longer falls (docs/design/cost.md). */
const warmSends = 6000;

/** Single email: calls and units under each setting of the list, sends a second, processor time, memory. */
export async function benchEmails({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    await scaleWorkspace(service);
    const send = senderOf(service);
    await load({ clients: 10, total: quick ? 400 : warmSends, expect: 202 }, send);
    const speeds = await measureSpeeds(service, send, quick);
    const growth = await measureGrowth(service, send, quick ? 3000 : 100_000);
    const readyMilliseconds = await restart(service);
    const lists = await measureLists();
    const functionLogBytes = await measureLog();
    return {
      title: 'Single email',
      head:
        `Rows that name no list measure the default, "${defaultList}". "Until its answer": what the caller waits for. "In ` +
        'all": until the email is delivered and recorded and its minute is settled, measured over a hundred emails from ' +
        'ten clients. Times are for plain HTTP over loopback on this machine: no TLS, no arm64, no network.',
      rows: [
        ...listRows(lists),
        ...speedRows(speeds),
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
        speeds,
        growth,
        readyMilliseconds,
      },
      consumption: sendingConsumption(lists, speeds, functionLogBytes),
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
