/**
 * A process that does what a container does that lives long: imports the bundle of `emails.send` and handles one call
 * after another, each to a new person. Arguments: the bundle, a file with the event and how many calls. Tells bytes
 * resident after the first call and at the most in each tenth of the others, and milliseconds of the processor a call.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [bundle, eventFile, calls] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const email = JSON.parse(Buffer.from(event.body, 'base64').toString());
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
const { handler } = await import(pathToFileURL(bundle).href);

async function call(index) {
  const body = Buffer.from(JSON.stringify({ ...email, to: `long${index}@example.net` })).toString('base64');
  const answer = await handler({ ...event, body }, context);
  if (answer.statusCode !== 202) throw new Error(answer.body);
}

await call(0);
const first = process.memoryUsage.rss();
const highest = Array.from({ length: 10 }, () => 0);
const used = process.cpuUsage();
for (let index = 0; index < Number(calls); index += 1) {
  await call(index + 1);
  const stretch = Math.floor((index * highest.length) / Number(calls));
  highest[stretch] = Math.max(highest[stretch], process.memoryUsage.rss());
}
const { user, system } = process.cpuUsage(used);
process.send({ first, highest, processor: (user + system) / 1000 / Number(calls) });
process.exit(0);
