/** Loaded before the service (`node --import`): answers the bench over the process's message channel. */
import { callsMade, endCounting, type MeteredCall, startCounting } from './counting.ts';

export interface MeterReading {
  readonly calls: readonly MeteredCall[];
  /** Calls since the start of the service, recorded or not. */
  readonly made: number;
  /** Heap and buffers of the handlers' thread, after a garbage collection. */
  readonly heapBytes: number;
}

/** `settle` settles all open minutes, as the sweeper does later. */
export type MeterQuestion = 'start' | 'read' | 'count' | 'settle';

process.on('message', async (message: MeterQuestion) => {
  if (message === 'start') startCounting();
  if (message === 'settle') await settle();
  if (message !== 'read') {
    process.send?.({ calls: [], made: callsMade(), heapBytes: 0 } satisfies MeterReading);
    return;
  }
  const calls = endCounting();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ calls, made: callsMade(), heapBytes: heapUsed + external } satisfies MeterReading);
});

async function settle(): Promise<void> {
  const { sweepOpenSends } = await import('../../shared/services/sweep/settleSends.ts');
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
}
// A bench that ends leaves no service running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
