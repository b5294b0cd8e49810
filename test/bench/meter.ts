/** Loaded before the service (`node --import`): answers the bench over the process's message channel. */
import { callsMade, endCounting, type MeteredCall, startCounting } from './counting.ts';

export interface MeterReading {
  readonly calls: readonly MeteredCall[];
  /** Calls since the service began, whether they were recorded or not. */
  readonly made: number;
  /** Of the handlers' thread: what is in use after garbage was collected, and its buffers. */
  readonly heapBytes: number;
}

/** What the bench asks of it; `settle` settles every minute that anything was sent in, as the sweeper does later. */
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
  const { sweepOpenSends } = await import('../../shared/services/sweep/openSends.ts');
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
}
// A bench that dies leaves no service behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
