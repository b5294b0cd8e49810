import { mock } from 'node:test';
import type { Context } from 'aws-lambda';
import { type Consumption, gigabyteSecondsOf } from './costs/consumption.ts';
import { idleSweepName } from './costs/sheet.ts';
import prices from './prices.json' with { type: 'json' };
import type { BenchContext, Section } from './report.ts';
import { startBenchService } from './service.ts';

/** Some of the sweeper's work is done every ten minutes only. */
const minutes = 10;
const memoryMegabytes = 512;
/** Most of its queries run side by side; this many follow one another. */
const callsInTurn = 3;

/** What a deployment does while nothing is sent: the sweeper runs every minute. */
export async function benchIdle(_: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    Object.assign(process.env, service.runtime.environment, { POWERTOOLS_LOG_LEVEL: 'SILENT' });
    const sweep = await measureSweep();
    return {
      title: 'Idle',
      rows: [
        {
          what: 'a run of the sweeper that finds nothing',
          measured: `${sweep.calls.toFixed(1)} calls, ${sweep.readUnits.toFixed(1)} read and ${sweep.writeUnits.toFixed(1)} write units`,
        },
      ],
      figures: { sweep },
      consumption: [sweepConsumption(sweep)],
    };
  } finally {
    await service.stop();
  }
}

type Sweep = Awaited<ReturnType<typeof measureSweep>>;

/** Runs the sweeper for ten minutes of simulated time; the average of a run. */
async function measureSweep() {
  const [{ startCounting, endCounting }, { handler }] = await Promise.all([
    import('./counting.ts'),
    import('../../functions/workers/sweep.ts'),
  ]);
  const context = { awsRequestId: 'bench', functionName: 'sweep', getRemainingTimeInMillis: () => 300_000 };
  const sweep = () => handler({} as never, context as unknown as Context, () => {});
  await sweep();
  mock.timers.enable({ apis: ['Date'], now: Math.ceil(Date.now() / 60_000) * 60_000 });
  try {
    startCounting();
    const before = process.cpuUsage();
    for (let minute = 0; minute < minutes; minute += 1) {
      await sweep();
      mock.timers.setTime(Date.now() + 60_000);
    }
    const { user, system } = process.cpuUsage(before);
    const calls = endCounting();
    const mean = (of: (call: (typeof calls)[number]) => number) =>
      calls.reduce((sum, call) => sum + of(call), 0) / minutes;
    return {
      calls: mean(() => 1),
      readUnits: mean(({ readUnits }) => readUnits),
      writeUnits: mean(({ writeUnits }) => writeUnits),
      processorMilliseconds: (user + system) / 1000 / minutes,
    };
  } finally {
    mock.timers.reset();
  }
}

const sweepConsumption = ({ readUnits, writeUnits, processorMilliseconds }: Sweep): Consumption => ({
  what: idleSweepName,
  functionCalls: 1,
  gigabyteSeconds: gigabyteSecondsOf({
    memoryMegabytes,
    processorMilliseconds,
    waitingMilliseconds: callsInTurn * prices.assumed.tableCallMilliseconds,
  }),
  readUnits,
  writeUnits,
});
