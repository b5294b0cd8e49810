/** Loaded before the service (`node --import`): answers the bench over the process's message channel. */
import { callsMade, endCounting, type MeteredCall, startCounting } from './counting.ts';

export interface MeterReading {
  readonly calls: readonly MeteredCall[];
  /** Calls since the service began, whether they were recorded or not. */
  readonly made: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

process.on('message', (message: 'start' | 'read' | 'count') => {
  if (message === 'start') startCounting();
  if (message !== 'read') {
    process.send?.({ calls: [], made: callsMade(), residentBytes: 0, heapBytes: 0 } satisfies MeterReading);
    return;
  }
  const calls = endCounting();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const memory = { residentBytes: rss, heapBytes: heapUsed + external };
  process.send?.({ calls, made: callsMade(), ...memory } satisfies MeterReading);
});
// A bench that dies leaves no service behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
