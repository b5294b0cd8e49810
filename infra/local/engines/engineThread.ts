import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Engine } from './engine.ts';

/**
 * Starts an engine in a thread of its own, so that it does not take turns with the handlers on one processor, as AWS
 * would not. The thread's file calls `serveInThread`; options and what it answers must be plain data.
 */
export async function startInThread<Started extends Engine>(file: URL, options: object): Promise<Started> {
  const worker = new Worker(file, { workerData: options, execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [started] = (await once(worker, 'message')) as [Omit<Started, 'stop'>];
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

/** The other side: starts the engine with the options given, tells where it is, and ends when it is told to. */
export async function serveInThread<Options>(start: (options: Options) => Promise<Engine>): Promise<void> {
  if (!parentPort) throw new Error('This file runs in a thread.');
  const port = parentPort;
  const { stop, ...started } = await start(workerData as Options);
  port.once('message', async () => {
    await stop();
    port.close();
  });
  port.postMessage(started);
}
