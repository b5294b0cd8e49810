import type { MeteredCall } from '../counting.ts';
import { stop } from './sending.ts';
import { draft, send, type World } from './world.ts';

/** What the call that sends a campaign takes until its answer. */
export interface FreezeFigures {
  readonly queued: number;
  readonly seconds: number;
  /** Of the process that freezes, without the engine's. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly calls: number;
}

/** The provider is paused, so no message is sent, and the campaign is stopped before it continues. */
export async function measureFreeze(world: World, workspaceId: string): Promise<FreezeFigures> {
  const { load, provider } = world;
  await provider.behave({ isPaused: true });
  const id = await draft(world, workspaceId);
  const watch = watchMemory();
  load.startCounting();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const queued = await send(world, workspaceId, id);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const calls = load.endCounting().length;
  const memoryBytes = watch.end();
  await stop(world, workspaceId, id);
  return { queued, seconds, cpuSeconds: (user + system) / 1_000_000, memoryBytes, calls };
}

export const unitsOf = (calls: readonly MeteredCall[]) => ({
  readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
  writeUnits: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/** The growth of the process's memory at its maximum. */
function watchMemory(): { end(): number } {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sample = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(sample, 20);
  return {
    end: () => {
      sample();
      clearInterval(timer);
      return most - before;
    },
  };
}
