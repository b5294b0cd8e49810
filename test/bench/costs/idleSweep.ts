import { mock } from 'node:test';
import type { Context } from 'aws-lambda';
import prices from '../prices.json' with { type: 'json' };
import { type Consumption, gigabyteSecondsOf } from './consumption.ts';

/** A run of the sweeper in which there is nothing to do. */
export interface IdleSweep {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly processorMilliseconds: number;
}

export const idleSweepName = 'sweeps that find nothing';
/** Some of what it does is done every ten minutes only. */
const minutes = 10;
const memoryMegabytes = 512;
/** Its queries are made side by side, two or three after one another. */
const callsInTurn = 3;

/** Runs the sweeper in ten minutes of an empty table, to which the environment points; on average. */
export async function measureIdleSweep(): Promise<IdleSweep> {
  const [{ startCounting, endCounting }, { handler }] = await Promise.all([
    import('../counting.ts'),
    import('../../../functions/workers/sweep.ts'),
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

export const idleSweepConsumption = ({ readUnits, writeUnits, processorMilliseconds }: IdleSweep): Consumption => ({
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
