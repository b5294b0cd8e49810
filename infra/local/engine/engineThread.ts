import { on, once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { runAhead } from '../../../shared/platform/clock.ts';
import type { ClockedPart, PendingWork } from '../clock/due.ts';
import { aheadMilliseconds, clockMemory, shareClock } from '../clock/sharedClock.ts';
import type { Engine } from './engine.ts';
import { type Answers, threadCalls } from './threadCalls.ts';

/**
 * Starts an engine in a thread of its own, so that it does not share a processor with the handlers. The thread's file
 * calls `serveInThread`; its options and its answer must be plain data. `ps -L` shows 15 characters of the name.
 * `answers`: what the thread may ask this process.
 */
export async function startInThread<Started extends Engine>(
  name: string,
  file: URL,
  options: object,
  answers: Answers = {},
): Promise<Started> {
  const worker = new Worker(file, {
    name,
    workerData: { options, clock: clockMemory() } satisfies ThreadData,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const started = await startedIn<Started>(worker);
  worker.on('error', (error) => {
    throw error;
  });
  const ask = threadCalls(worker, answers);
  const clocked: ClockedPart = {
    pending: async (withDue) => (await ask('pending', withDue)) as PendingWork,
    look: async (isEnd) => void (await ask('look', isEnd)),
  };
  const stop = async () => {
    const exit = once(worker, 'exit');
    worker.postMessage('stop');
    await exit;
  };
  return { ...started, clocked, stop } as unknown as Started;
}

interface ThreadData {
  readonly options: object;
  readonly clock: SharedArrayBuffer;
}

/** Skips other messages: Node's watch mode sends some too. */
async function startedIn<Started extends Engine>(worker: Worker): Promise<Omit<Started, 'stop'>> {
  for await (const [message] of on(worker, 'message')) if (message.started) return message.started;
  throw new Error('The thread ended before its engine had started.');
}

/** Asks the process that started the thread. */
export type AskProcess = (name: string, value?: unknown) => Promise<unknown>;

/**
 * The thread's side: starts the engine, reports its address, and stops it on a message. Its clock is that of the process,
 * as `followClock` makes it.
 */
export async function serveInThread<Options>(
  start: (options: Options, ask: AskProcess) => Promise<Engine>,
  followClock = () => runAhead(aheadMilliseconds),
): Promise<void> {
  if (!parentPort) throw new Error('This file runs in a thread.');
  const port = parentPort;
  const { options, clock } = workerData as ThreadData;
  shareClock(clock);
  followClock();
  let engine: Engine | undefined;
  const ask = threadCalls(port, {
    pending: (withDue: boolean) => engine?.clocked?.pending(withDue),
    look: (isEnd: boolean) => engine?.clocked?.look(isEnd),
  });
  engine = await start(options as Options, ask);
  const { stop, clocked: _, ...started } = engine;
  port.on('message', async (message) => {
    if (message !== 'stop') return;
    await stop();
    port.close();
  });
  port.postMessage({ started });
}
