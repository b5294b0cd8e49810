import { type Options, readOptions, usage } from './options.ts';
import type { RunningService } from './service.ts';

const exitCodes = { failed: 1, usage: 2 } as const;

/** In watch mode (`npm run dev`) a process of Node's stands in between, which starts this one again and again. */
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined;

const options = wanted();
// Only now: a word too many is refused, and help shown, without all that a service is made of.
const { startService } = await import('./service.ts');
const service = await startService({ ...options, onLost: (error) => lost(error) }).catch((error: Error) =>
  fail(sentence(error), exitCodes.failed),
);
endOnSignal(service);
greet(service, options);

function wanted(): Options {
  try {
    const read = readOptions(process.argv.slice(2), process.env);
    if (read) return read;
  } catch (error) {
    fail((error as Error).message, exitCodes.usage);
  }
  console.log(usage);
  process.exit(0);
}

function fail(message: string, code: number): never {
  console.error(`Mailroom could not start. ${message}`);
  process.exit(code);
}

function sentence(error: Error): string {
  return (error.message || String(error)).replace(/\s+/g, ' ').trim();
}

/** Without one of its engines the service would only give errors: it says why and ends, and the data stays. */
async function lost(error: Error): Promise<void> {
  console.error(`Mailroom has to stop. ${sentence(error)}`);
  await service.stop();
  process.exit(exitCodes.failed);
}

/** One Ctrl-C arrives twice, from the terminal and from bootstrap.mjs: what follows within this time is the same one. */
const sameSignalMilliseconds = 1000;

/** The first signal ends what is under way in its own time, a second one ends at once. */
function endOnSignal(running: RunningService): void {
  let endingSince = 0;
  const end = async () => {
    if (endingSince > 0 && Date.now() - endingSince > sameSignalMilliseconds) process.exit(1);
    if (endingSince > 0) return;
    endingSince = Date.now();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // Started by bootstrap.mjs, it does not outlive it, not even a kill -9.
  const launcher = Number(process.env.MAILROOM_LAUNCHER);
  if (!isWatched && launcher !== process.ppid) return;
  const watch = setInterval(() => {
    if (isWatched ? isAlive(launcher) : launcher === process.ppid) return;
    clearInterval(watch);
    if (isWatched) process.kill(process.ppid, 'SIGTERM');
    else end();
  }, 1000);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function greet({ dev, files, signInUrl }: RunningService, { port }: Options): void {
  console.log(`Mailroom is ready.

  Base URL   ${dev.base_url}
  API key    ${dev.api_key}
  Inbox      ${dev.inbox_url}
  Console    ${signInUrl}
  The same   ${files.dev}

Send a first email, then look at the inbox:

  curl -sS ${dev.base_url}/api/v1/emails \\
    -H 'Authorization: Bearer ${dev.api_key}' -H 'Content-Type: application/json' \\
    -d '{"from":"Acme <hello@example.com>","to":"ada@example.net","subject":"Hello","html":"<p>It works.</p>"}'

The link to the console works once, within 15 minutes; "npm run mailroom -- operator link" makes another.
Ctrl-C ends it; the data stays.`);
  const inboxPort = port + 1;
  if (port > 0 && dev.inbox_url && new URL(dev.inbox_url).port !== String(inboxPort)) {
    console.error(
      `\nPort ${inboxPort} is in use, so the inbox has another one: tracked links of earlier messages lead nowhere.`,
    );
  }
}
