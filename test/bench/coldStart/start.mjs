/**
 * A fresh process that does what a new container does: imports the bundle of a function, then handles an event, and
 * another one. Arguments: the bundle and a file with the event. Tells milliseconds, of the processor and of the clock.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [bundle, eventFile] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };

async function timed(work) {
  const before = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, processor: (user + system) / 1000, clock: performance.now() - began };
}

const imported = await timed(() => import(pathToFileURL(bundle).href));
const first = await timed(() => imported.result.handler(event, context));
const second = await timed(() => imported.result.handler(event, context));
const times = [imported, first, second].map(({ processor, clock }) => ({ processor, clock }));
process.send({ status: first.result?.statusCode ?? null, times });
process.exit(0);
