import { on, once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Engine } from './engine.ts';

/**
 * Starts an engine in a thread of its own, so that it does not share a processor with the handlers. The thread's file
 * calls `serveInThread`; its options and its answer must be plain data. `ps -L` shows 15 characters of the name.
 */
export async function startInThread<Started extends Engine>(
  name: string,
  file: URL,
  options: object,
): Promise<Started> {
  const worker = new Worker(file, { name, workerData: options, execArgv: ['--disable-warning=ExperimentalWarning'] });
  const started = await startedIn<Started>(worker);
  worker.on('error', (error) => {
    throw error;
  });
  const stop = async () => {
    const exit = once(worker, 'exit');
    worker.postMessage('stop');
    await exit;
  };
  return { ...started, stop } as Started;
}

/** Skips other messages: Node's watch mode sends some too. */
async function startedIn<Started extends Engine>(worker: Worker): Promise<Omit<Started, 'stop'>> {
  for await (const [message] of on(worker, 'message')) if (message.started) return message.started;
  throw new Error('The thread ended before its engine had started.');
}

/** The thread's side: starts the engine, reports its address, and stops it on a message. */
export async function serveInThread<Options>(start: (options: Options) => Promise<Engine>): Promise<void> {
  if (!parentPort) throw new Error('This file runs in a thread.');
  const port = parentPort;
  const { stop, ...started } = await start(workerData as Options);
  port.once('message', async () => {
    await stop();
    port.close();
  });
  port.postMessage({ started });
}
