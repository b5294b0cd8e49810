import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../../infra/local/folder.ts';
import { mailroom, mailroomJson, startCommands } from './mailroom.ts';

describe('the command line on local data without a running service', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'mailroom-cli-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('starts its own engines, keeps the data, and releases the folder', async () => {
    const made = await mailroomJson(['workspace', 'create', 'Acme', '--plan', 'starter', '--data', data]);
    expect(made).toMatchObject({ object: 'workspace', name: 'Acme', plan: 'starter', language: 'en' });
    const { data: found } = await mailroomJson(['workspace', 'list', '--data', data]);
    expect(found).toEqual([{ object: 'workspace', id: made.id, name: 'Acme' }]);
    expect(() => lockFolder(data)()).not.toThrow();
    expect(statSync(join(data, 'secret.json')).mode & 0o777).toBe(0o600);
  });

  it('waits for another command on the same folder', async () => {
    const runs = ['One', 'Two', 'Three'].map((name) => mailroomJson(['workspace', 'create', name, '--data', data]));
    const made = await Promise.all(runs);
    const { data: found } = await mailroomJson(['workspace', 'list', '--data', data]);
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it('ignores the runtime file of a service that has crashed', async () => {
    const stale = { pid: process.pid, port: 1, environment: { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' } };
    writeFileSync(join(data, 'runtime.json'), JSON.stringify(stale));
    const { data: found } = await mailroomJson(['workspace', 'list', '--data', data]);
    expect(found).toEqual([]);
  });

  it('never writes a full key to disk', async () => {
    await mailroomJson(['workspace', 'create', 'Acme', '--data', data]);
    const { key } = await mailroomJson(['key', 'create', 'Site', '--scopes', 'all', '--data', data]);
    expect(key).toMatch(/^mr_live_/);
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes(key)).toBe(false);
  });
});

describe('secret rotate', () => {
  it('rotates the secret of the folder, and prints how many are kept and the next step', async () => {
    const data = mkdtempSync(join(tmpdir(), 'mailroom-cli-'));
    const file = join(data, 'secret.json');
    await mailroomJson(['workspace', 'list', '--data', data]);
    const { current } = JSON.parse(readFileSync(file, 'utf8'));
    const run = await mailroom(['secret', 'rotate', '--data', data]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('1 earlier secret is kept');
    expect(run.stdout).toContain('webhook reseal');
    const rotated = JSON.parse(readFileSync(file, 'utf8'));
    expect(rotated.previous).toEqual([current]);
    expect(run.stdout).not.toContain(rotated.current);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(`${file}.next`, '');
    const again = await mailroom(['secret', 'rotate', '--data', data]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`remove ${file}.next and try again`)]);
    rmSync(data, { recursive: true });
  });
});

describe('usage', () => {
  const commands = startCommands();
  afterAll(() => commands.stop());
  const nowhere = join(tmpdir(), 'mailroom-never-made');

  it('is reported in one line, with exit code 2', async () => {
    const { code, stdout, stderr } = await mailroom(['nothing', '--data', nowhere]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown command 'nothing'.*\n$/);
  });

  it.each([
    [['nothing'], "unknown command 'nothing'"],
    [['key', 'create', 'Site'], "required option '--scopes <list>' not specified"],
    [['key', 'create', 'Site', '--scopes', 'emails:send,all'], 'There is no scope all. Choose from emails:send, '],
    [['workspace', 'create', ' '], 'A name has 1 to 100 characters.'],
    [['plan', 'set', 'gold'], 'Allowed choices are free, starter, growth, scale.'],
    [['tracking', 'set', '--opens', 'maybe'], 'Allowed choices are on, off.'],
    [['tracking', 'set'], 'give --opens on|off, --clicks on|off, or both'],
    [['cap', 'set', '--messages', '3'], "required option '--days <count>' not specified"],
    [['cap', 'set', '--messages', '11', '--days', '7'], 'Give a number from 1 to 10.'],
    [['cap', 'set', '--messages', '3', '--days', '31'], 'Give a number from 1 to 30.'],
    [['suppression', 'remove', 'nobody'], 'has no @'],
    [['segment', 'edit', 'Vip'], 'give --name, --rule, or both'],
    [['workspace', 'language', 'xx'], 'Allowed choices are en, fr.'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
  ])('%j has exit code 2 and reports the problem in one line', async (words, expected) => {
    const { code, stdout, stderr } = await commands.run([...words, '--data', nowhere]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('does not create a data folder for a command that only reads', async () => {
    const { code, stderr } = await mailroom(['workspace', 'list', '--data', nowhere]);
    expect([code, stderr]).toEqual([
      1,
      `error: There is no data folder ${nowhere}: "npm start" and "workspace create" create one.\n`,
    ]);
    expect(existsSync(nowhere)).toBe(false);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await mailroom(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('shows the syntax of rules in the help of a command that reads one', async () => {
    const { stdout } = await mailroom(['segment', 'create', '--help']);
    for (const operator of ['not_equals', 'greater_than', 'within_last_days']) expect(stdout).toContain(operator);
  });

  it('completes groups, commands and options in bash', async () => {
    const { stdout: script } = await mailroom(['completion', 'bash']);
    const complete = (...words: string[]) =>
      execFileSync('bash', [
        '-c',
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mailroom; echo "\${COMPREPLY[@]}"`,
        'bash',
        'mailroom',
        ...words,
      ])
        .toString()
        .trim();
    expect(complete('wor')).toBe('workspace');
    expect(complete('--json', 'webhook', 'li')).toBe('list listen');
    expect(complete('webhook', 'listen', '--for')).toBe('--forward-to');
  });

  it.each(['zsh', 'fish'])('prints a completion script that %s can read, if it is installed', async (shell) => {
    const { code, stdout } = await mailroom(['completion', shell]);
    expect([code, stdout.includes('--forward-to') || stdout.includes('-l forward-to')]).toEqual([0, true]);
    const file = join(mkdtempSync(join(tmpdir(), 'mailroom-completion-')), 'script');
    writeFileSync(file, stdout);
    const checked = spawnSync(shell, ['-n', file]);
    expect(checked.error ? 0 : checked.status).toBe(0);
  });

  it('shows its help with exit code 0', async () => {
    const { code, stdout } = await mailroom(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('workspace');
  });
});
