import { on, once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Engine } from './engine.ts';

/**
 * Starts an engine in a thread of its own, so that it does not take turns with the handlers on one processor, as AWS
 * would not. The thread's file calls `serveInThread`; options and what it answers must be plain data. The system shows
 * the thread by its name (`ps -L`), 15 characters of it.
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

/** Node's watch mode sends messages of its own by the same way. */
async function startedIn<Started extends Engine>(worker: Worker): Promise<Omit<Started, 'stop'>> {
  for await (const [message] of on(worker, 'message')) if (message.started) return message.started;
  throw new Error('The thread ended before its engine had started.');
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
  port.postMessage({ started });
}
