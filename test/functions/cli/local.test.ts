import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../../infra/local/folder.ts';
import { mailroom, mailroomJson } from './mailroom.ts';

describe('the command line on local data, while no service runs', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'mailroom-cli-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('starts engines of its own, keeps what it did, and leaves the folder free', async () => {
    const made = await mailroomJson(['workspace', 'create', 'Acme', '--plan', 'starter', '--data', data]);
    expect(made).toMatchObject({ object: 'workspace', name: 'Acme', plan: 'starter', language: 'en' });
    const { data: found } = await mailroomJson(['workspace', 'list', '--data', data]);
    expect(found).toEqual([{ object: 'workspace', id: made.id, name: 'Acme' }]);
    expect(() => lockFolder(data)()).not.toThrow();
    expect(statSync(join(data, 'secret.json')).mode & 0o777).toBe(0o600);
  });

  it('waits for another command that works on the same folder', async () => {
    const runs = ['One', 'Two', 'Three'].map((name) => mailroomJson(['workspace', 'create', name, '--data', data]));
    const made = await Promise.all(runs);
    const { data: found } = await mailroomJson(['workspace', 'list', '--data', data]);
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it('does not believe what a dead service left behind', async () => {
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
  it('rotates the secret of the folder, tells how many it keeps and what comes next', async () => {
    const data = mkdtempSync(join(tmpdir(), 'mailroom-cli-'));
    const file = join(data, 'secret.json');
    await mailroomJson(['workspace', 'list', '--data', data]);
    const { current } = JSON.parse(readFileSync(file, 'utf8'));
    const run = await mailroom(['secret', 'rotate', '--data', data]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('1 earlier secret.');
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
  it.each([
    [['nothing'], "unknown command 'nothing'"],
    [['key', 'create', 'Site'], "required option '--scopes <list>' not specified"],
    [['key', 'create', 'Site', '--scopes', 'emails:send,all'], 'There is no scope all.'],
    [['workspace', 'create', ' '], 'A name has 1 to 100 characters.'],
    [['plan', 'set', 'gold'], 'Allowed choices are free, starter, growth, scale.'],
    [['tracking', 'set', '--opens', 'maybe'], 'Allowed choices are on, off.'],
    [['tracking', 'set'], 'give --opens on|off, --clicks on|off, or both'],
    [['suppression', 'remove', 'nobody'], 'has no @'],
    [['suppression', 'add', 'ada@example.net'], "required option '--platform' not specified"],
  ])('%j ends with 2 and one line that says what is wrong', async (words, expected) => {
    const { code, stdout, stderr } = await mailroom([...words, '--data', join(tmpdir(), 'mailroom-never-made')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('shows its help and ends with 0', async () => {
    const { code, stdout } = await mailroom(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('workspace');
  });
});
