import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../load.ts';
import type { BenchContext, Section } from '../report.ts';
import { startBenchService } from '../service.ts';
import { scaleWorkspace, senderOf } from './sender.ts';

const callers = 4;
/** Pauses about the moments at which either side closes a connection that rests: 1, 4 and 5 seconds. */
const shortestPause = 500;
const longestPause = 9000;

/** Sends with long pauses: how many of them break on a connection that was kept. */
export async function benchIdleSockets({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    await scaleWorkspace(service);
    const send = senderOf(service);
    const sends = quick ? 60 : 1000;
    let open = sends;
    let failures = 0;
    const began = performance.now();
    const caller = async () => {
      while (open-- > 0) {
        failures += (await load({ clients: 1, total: 1, expect: 202 }, send)).failures;
        await sleep(shortestPause + Math.random() * (longestPause - shortestPause));
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const minutes = (performance.now() - began) / 60_000;
    return {
      title: 'Connections that rest',
      rows: [
        {
          what: `sends of ${sends.toLocaleString('en')} over ${minutes.toFixed(1)} minutes that were not accepted`,
          measured: String(failures),
          budget: '0',
          ok: failures === 0,
        },
      ],
      figures: { sends, minutes, failures },
    };
  } finally {
    await service.stop();
  }
}
