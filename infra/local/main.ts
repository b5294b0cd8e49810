import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningService, startService } from './service.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.PORT ?? '8787' },
    data: { type: 'string', default: '.mailroom' },
  },
});

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

/** The first signal ends what is under way in its own time, the second one ends at once. */
function endOnSignal(running: RunningService): void {
  let ending = false;
  const end = async () => {
    if (ending) process.exit(1);
    ending = true;
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
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
