import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RuntimeFile, readJson, runtimeFile } from '../infra/local/files.ts';

const patienceMilliseconds = 10_000;

/** Ends the services that test files shared, and removes their folder. */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env.MAILROOM_TEST_RUN;
  if (!folder) return;
  const files = readdirSync(folder)
    .map((worker) => runtimeFile(join(folder, worker, 'data')))
    .filter(existsSync);
  const end = (signal: NodeJS.Signals) => {
    // Its file goes with a service: one that has ended by itself has none.
    for (const file of files) {
      const pid = readJson<RuntimeFile>(file)?.pid;
      if (pid) send(pid, signal);
    }
  };
  end('SIGTERM');
  const deadline = Date.now() + patienceMilliseconds;
  while (files.some(existsSync) && Date.now() < deadline) await sleep(50);
  end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** Does nothing when the process has ended. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
