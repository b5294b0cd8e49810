import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningService, startService } from './service.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.PORT ?? '8787' },
    data: { type: 'string', default: '.mailroom' },
  },
});

/** In watch mode (`npm run dev`) a process of Node's stands in between, which starts this one again and again. */
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined;

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`"${values.port}" is not a port.`);

const service = await startService({ port, dataDir: resolve(values.data) }).catch((error: Error) =>
  fail(error.message || String(error)),
);
endOnSignal(service);
greet(service);

function fail(message: string): never {
  console.error(`Mailroom could not start. ${message}`);
  process.exit(1);
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

function greet({ dev, files }: RunningService): void {
  console.log(`Mailroom is ready.

  Base URL   ${dev.base_url}
  API key    ${dev.api_key}
  Inbox      ${dev.inbox_url}
  The same   ${files.dev}

Send a first email, then look at the inbox:

  curl -sS ${dev.base_url}/api/v1/emails \\
    -H 'Authorization: Bearer ${dev.api_key}' -H 'Content-Type: application/json' \\
    -d '{"from":"Acme <hello@example.com>","to":"ada@example.net","subject":"Hello","html":"<p>It works.</p>"}'

Ctrl-C ends it; the data stays.`);
}
