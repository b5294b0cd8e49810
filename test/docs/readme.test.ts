import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ownEnvironment } from '../acceptance/environment.ts';
import { startService, type TestService } from '../acceptance/service.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The shell blocks under a heading, as they are printed. */
function blocksUnder(heading: string): string[] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  return [...(section ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** In the order in which a reader meets them. */
const sections = ['A first email', 'People and consent', "The operator's command line"];
/**
 * Blocks that other tests stand for: what starts and tests the service, what takes the id of a campaign, and what an
 * agent's own command line does.
 */
const elsewhere = ['Two commands', 'Campaigns', 'Agents'];

describe('the commands of README', () => {
  let clone: string;
  let service: TestService;
  beforeAll(async () => {
    clone = mkdtempSync(join(tmpdir(), 'mailroom-clone-'));
    const left = ['node_modules', '.git', '.mailroom', 'cdk.out', 'coverage'];
    cpSync(root, clone, { recursive: true, filter: (source) => !left.includes(relative(root, source)) });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, 'people.csv'), 'email,firstName,fields.city\nada@example.net,Ada,Paris\n');
    const exported = (name: string) => join(root, 'test', 'fixtures', 'exports', `mailchimp-${name}.csv`);
    for (const name of ['subscribed', 'cleaned']) cpSync(exported(name), join(clone, `${name}_members_export.csv`));
    service = await startService({ dataDir: join(clone, '.mailroom') });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(clone, { recursive: true, force: true });
  });

  /** As a shell does it that stops at the first command that fails. Only the port is another one than the printed. */
  function run(block: string): Promise<string> {
    const script = block.replaceAll('http://127.0.0.1:8787', service.baseUrl);
    const env = ownEnvironment({ PATH: `${join(root, 'node_modules', 'node', 'bin')}:${process.env.PATH}` });
    return new Promise((resolve, reject) => {
      execFile('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: clone, env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout + stderr),
      );
    });
  }

  it('are all tried, here or elsewhere', () => {
    const all = [...readme.matchAll(/^```sh$/gm)].length;
    expect([...sections, ...elsewhere].flatMap(blocksUnder)).toHaveLength(all);
  });

  it.each(sections)('work as they are printed under "%s"', async (section) => {
    const blocks = blocksUnder(section);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(await run(block)).not.toMatch(/^error:|"error"/m);
  });
});

it('says of each dependency why it is there', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const table = readme.split('## Dependencies\n')[1] ?? '';
  const named = [...table.matchAll(/^\| (.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const isNamed = (name: string) =>
    named.some((one) => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1))));
  const all = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(all.filter((name) => !isNamed(name))).toEqual([]);
});
