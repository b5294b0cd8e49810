import { now, stopwatch } from '../../shared/platform/clock.ts';
import { aheadMilliseconds } from './clock/sharedClock.ts';
import { dataFlag, type Options, readOptions, usage } from './options.ts';
import type { RunningService } from './service.ts';

const exitCodes = { failed: 1, usage: 2 } as const;

/** In watch mode (`npm run dev`) the parent is a process of Node's, which restarts this one on every change. */
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined;

const options = readOrExit();
// Imported late: help and refused options need none of the service's modules.
const { startService } = await import('./service.ts');
const service = await startService({ ...options, onLost: (error) => lost(error) }).catch((error: Error) =>
  fail(sentence(error), exitCodes.failed),
);
endOnSignal(service);
greet(service, options);

function readOrExit(): Options {
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

/** Without one of its engines the service could only answer errors, so it exits. The data stays. */
async function lost(error: Error): Promise<void> {
  console.error(`Mailroom has to stop. ${sentence(error)}`);
  await service.stop();
  process.exit(exitCodes.failed);
}

/** One Ctrl-C arrives twice, from the terminal and from bootstrap.mjs: signals within this time count as one. */
const sameSignalMilliseconds = 1000;

/** The first signal stops the service gracefully, a second one at once. */
function endOnSignal(running: RunningService): void {
  let sinceFirst: (() => number) | undefined;
  const end = async () => {
    if (sinceFirst && sinceFirst() > sameSignalMilliseconds) process.exit(1);
    if (sinceFirst) return;
    sinceFirst = stopwatch();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The process exits with bootstrap.mjs, even if that is killed with -9.
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

/** A folder whose clock was moved keeps it, whether or not the clock can be moved further. */
function clockLine(canMove: boolean, command: string): string {
  const ahead = aheadMilliseconds();
  if (ahead === 0 && !canMove) return '';
  const time = now().toISOString().slice(0, 16).replace('T', ' ');
  const distance = ahead === 0 ? 'not ahead' : `${(ahead / 86_400_000).toFixed(1)} days ahead`;
  const how = canMove ? `${command} clock advance 3 days` : 'as it was left; --clock moves it further';
  return `\n  Clock      ${time} UTC, ${distance}: ${how}`;
}

function greet({ dev, files, signInUrl }: RunningService, { port, clock, dataDir }: Options): void {
  const command = `npm run mailroom --${dataFlag(dataDir)}`;
  console.log(`Mailroom is ready.

  Base URL   ${dev.base_url}
  API key    ${dev.api_key}
  Inbox      ${dev.inbox_url}
  Console    ${signInUrl}
  Saved in   ${files.dev}${clockLine(clock, command)}

Send a first email, then look at the inbox:

  curl -sS ${dev.base_url}/api/v1/emails \\
    -H 'Authorization: Bearer ${dev.api_key}' -H 'Content-Type: application/json' \\
    -d '{"from":"Acme <hello@example.com>","to":"ada@example.net","subject":"Hello","html":"<p>It works.</p>"}'

The link to the console works once, within 15 minutes; "${command} operator link" prints another.
Ctrl-C stops Mailroom; its data stays.`);
  const inboxPort = port + 1;
  if (port > 0 && dev.inbox_url && new URL(dev.inbox_url).port !== String(inboxPort)) {
    console.error(
      `\nPort ${inboxPort} is in use, so the inbox has another one: tracked links in earlier messages do not work.`,
    );
  }
}
