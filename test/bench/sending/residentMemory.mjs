/**
 * A process that does what a container does: imports the bundle of a function, handles a first event, and then others
 * one after another. Arguments: the bundle and a file with the events. Tells bytes resident and milliseconds of the
 * processor of each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [bundle, eventsFile] = process.argv.slice(2);
const [first, ...events] = JSON.parse(readFileSync(eventsFile, 'utf8'));
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
const { handler } = await import(pathToFileURL(bundle).href);

/** The kernel's own peak, set back for each event (proc(5), `clear_refs`); elsewhere the peak since the start. */
const beginPeak = () => attempt(() => writeFileSync('/proc/self/clear_refs', '5'), undefined);
const peak = () =>
  attempt(
    () => Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024,
    process.resourceUsage().maxRSS * 1024,
  );

function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

await handler(first, context);
const before = process.memoryUsage.rss();
const rounds = [];
for (const event of events) {
  beginPeak();
  const used = process.cpuUsage();
  const { statusCode = 200, body, batchItemFailures = [] } = await handler(event, context);
  const { user, system } = process.cpuUsage(used);
  const failure = statusCode < 300 && batchItemFailures.length === 0 ? null : (body ?? 'A message was not handled.');
  rounds.push({ failure, processor: (user + system) / 1000, peak: peak() });
}
process.send({ before, rounds });
process.exit(0);
