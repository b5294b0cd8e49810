import { consoleEndpoints } from '../../../infra/consoleEndpoints.ts';
import { queues } from '../../../infra/resources.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { dollarsOf, gigabyteSecondsOf } from '../costs/consumption.ts';
import prices from '../prices.json' with { type: 'json' };
import { timeBetween } from '../processorTime.ts';
import type { BenchContext, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';

/** As often as a page that is left open asks for itself when nothing happens (shared/console/assets/live.ts). */
const lookSeconds = 15;
const looksOfDay = 86_400 / lookSeconds;
/** Of API Gateway, as its stage writes it (infra/constructs/api.ts). */
const accessLogBytes = 450;
const budgetDollars = 0.05;

/** What it costs to leave the console open for a day: each look taken to be as dear as the whole overview. */
export async function benchConsole({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const look = await lookerAt(service);
    const looks = quick ? 100 : 400;
    for (let time = 0; time < 50; time += 1) await look();
    await service.quiet();
    const [logged, before] = [service.loggedBytes(), service.processorTime()];
    await service.startMeter();
    const times: number[] = [];
    for (let time = 0; time < looks; time += 1) times.push(await look());
    const { calls } = await service.readMeter();
    const used = timeBetween(before, service.processorTime());
    const processorMilliseconds = ((used?.['handlers, workers, gateway'] ?? 0) * 1000) / looks;
    const readUnits = calls.reduce((sum, one) => sum + one.readUnits, 0) / looks;
    const memoryMegabytes = consoleEndpoints[0]?.function.memoryMegabytes ?? 0;
    const one = {
      gatewayCalls: 1,
      functionCalls: 1,
      // Who it is, the workspace, what the page shows, what that leads to: one after another.
      gigabyteSeconds: gigabyteSecondsOf({
        memoryMegabytes,
        processorMilliseconds,
        waitingMilliseconds: 4 * prices.assumed.tableCallMilliseconds,
      }),
      readUnits,
      // Asked once a minute.
      queueCalls: (Object.keys(queues).length * lookSeconds) / 60,
      logBytes: accessLogBytes + (service.loggedBytes() - logged) / looks,
    };
    const dollars = Object.values(dollarsOf(one)).reduce((sum, amount) => sum + amount, 0) * looksOfDay;
    const median = times.toSorted((a, b) => a - b)[Math.floor(looks / 2)] ?? 0;
    return {
      title: 'Console',
      rows: [
        {
          what: `the console open for 24 hours, ${looksOfDay} looks at the overview`,
          measured: `$${dollars.toFixed(4)}`,
          budget: `$${budgetDollars.toFixed(2)}`,
          ok: dollars <= budgetDollars,
        },
        { what: 'read units of a look', measured: readUnits.toFixed(1) },
        { what: 'processor time of a look', measured: `${processorMilliseconds.toFixed(1)} ms` },
        { what: 'the whole page, warm, locally, median', measured: `${median.toFixed(1)} ms` },
      ],
      figures: { one, dollars, looksOfDay, median },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

/** Looks once, as an owner of everything, and answers the milliseconds that it took. */
async function lookerAt({ dev, runtime }: BenchService): Promise<() => Promise<number>> {
  Object.assign(process.env, runtime.environment);
  const { createSession } = await import('../../../shared/services/operators/session.ts');
  const { actor } = operatorContext();
  const session = await createSession(actor, new Date());
  const cookie = `mailroom-${new URL(dev.base_url).port}=${session}`;
  return async () => {
    const began = performance.now();
    const answer = await fetch(`${dev.base_url}/console/${dev.workspace_id}`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The overview answers ${answer.status}.`);
    return performance.now() - began;
  };
}
