import { type ChildProcess, spawn } from 'node:child_process';
import packageFile from '../../../package.json' with { type: 'json' };
import { ownEnvironment } from '../../acceptance/environment.ts';
import { processesWith, temporaryFolder, until } from './processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The arguments of a script after `exec node`. */
const wordsOf = (script: 'start' | 'dev') => packageFile.scripts[script].split(' ').slice(2);
const flagsOf = (script: 'start' | 'dev') => wordsOf(script).filter((word) => word.startsWith('--'));

/** What `npm run dev` runs, until the service is ready. */
async function startDev(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...wordsOf('dev'), '--port', '0', '--data', folder.path], {
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
  it('starts Node with the flags of npm start', () => {
    expect(flagsOf('start')).not.toEqual([]);
    expect(flagsOf('dev')).toEqual(expect.arrayContaining(flagsOf('start')));
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no process running after a %s', async (signal) => {
    const launcher = await startDev();
    expect((await processesWith(folder.path)).length).toBeGreaterThan(3);
    launcher.kill(signal);
    await until('every process has ended', async () => (await processesWith(folder.path)).length === 0);
  });
});
