/** Loaded before the service (`node --import`): answers the bench over the process's message channel. */
import { callsMade, endCounting, type MeteredCall, startCounting } from './counting.ts';

export interface MeterReading {
  readonly calls: readonly MeteredCall[];
  /** Calls since the start of the service, recorded or not. */
  readonly made: number;
  /** Heap and buffers of the handlers' thread, after a garbage collection. */
  readonly heapBytes: number;
  /** Processor time of the service since the count began. */
  readonly processorMilliseconds: number;
}

/** `settle` settles all open minutes, as the sweeper does later; `copy` copies all emails, as a worker does 26 days later. */
export type MeterQuestion = 'start' | 'read' | 'count' | 'settle' | 'copy';

let startedAt = process.cpuUsage();

process.on('message', async (message: MeterQuestion) => {
  if (message === 'start') {
    startCounting();
    startedAt = process.cpuUsage();
  }
  if (message === 'settle') await settle();
  if (message === 'copy') await copy();
  const { user, system } = process.cpuUsage(startedAt);
  const processorMilliseconds = (user + system) / 1000;
  if (message !== 'read') {
    process.send?.({ calls: [], made: callsMade(), heapBytes: 0, processorMilliseconds } satisfies MeterReading);
    return;
  }
  const calls = endCounting();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const reading = { calls, made: callsMade(), heapBytes: heapUsed + external, processorMilliseconds };
  process.send?.(reading satisfies MeterReading);
});

async function settle(): Promise<void> {
  const { sweepOpenSends } = await import('../../shared/services/sweep/settleSends.ts');
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
}

async function copy(): Promise<void> {
  const [{ copyWorkspace }, { copiedSince }, { listWorkspaces }] = await Promise.all([
    import('../../shared/services/emails/copyWorkspace.ts'),
    import('../../shared/store/archive/progress.ts'),
    import('../../shared/store/workspace/workspaces.ts'),
  ]);
  await copiedSince(new Date());
  const later = new Date(Date.now() + 25 * 86_400_000);
  for (const { id } of await listWorkspaces()) await copyWorkspace(id, later);
}

// A bench that ends leaves no service running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
