import { type ChildProcess, spawn } from 'node:child_process';
import { ownEnvironment } from '../../acceptance/environment.ts';
import { processesWith, temporaryFolder, until } from './processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** What `npm run dev` runs, until the service is ready. */
async function startDev(): Promise<ChildProcess> {
  const words = ['--watch', '--watch-preserve-output', 'infra/local/main.ts', '--port', '0', '--data', folder.path];
  const child = spawn(process.execPath, ['infra/local/bootstrap.mjs', ...words], {
    env: ownEnvironment({ npm_lifecycle_event: '' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until('the service is ready', () => output.includes('Mailroom is ready'));
  return child;
}

describe('npm run dev', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves nothing running behind a %s', async (signal) => {
    const launcher = await startDev();
    expect((await processesWith(folder.path)).length).toBeGreaterThan(3);
    launcher.kill(signal);
    await until('every process has ended', async () => (await processesWith(folder.path)).length === 0);
  });
});
