import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { call, eventually } from '../../acceptance/client.ts';
import { received } from '../../acceptance/inbox.ts';
import { sharedService, type TestService } from '../../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { mailroom, startCommands } from './mailroom.ts';

let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let workspace: TestWorkspace;
let folder: string;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  folder = mkdtempSync(join(tmpdir(), 'mailroom-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (own = workspace) => ['--data', service.dataDir, '--workspace', own.workspaceId];
const words = (file: string, ...options: string[]) => ['subscriber', 'import', file, ...options, ...place()];
const importJson = (file: string, ...options: string[]) => commands.json(words(file, ...options));
const api = (method: string, path: string, body?: object, own = workspace) =>
  call({ ...service, apiKey: own.apiKey }, method, `/api/v1${path}`, body && { body });
const get = async (email: string) => (await api('GET', `/subscribers/${encodeURIComponent(email)}`)).body;

function csv(...lines: string[]): string {
  const file = join(folder, 'people.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
const refusedOf = (file: string): string[][] => parse(readFileSync(`${file}.refused.csv`));
const count = async () => (await api('POST', '/audience')).body.recipients;

describe('subscriber import', () => {
  it('adds and updates people with their names, tags and fields', async () => {
    await api('POST', '/subscribers', { email: 'grace@example.net', fields: { age: 85 }, double_opt_in: false });
    const file = csv(
      'email,First name,lastName,tags,fields.city,fields.age',
      'Ada@Example.net ,Ada,Lovelace,"vip, news","London, UK",36',
      'grace@example.net,Grace,,,,85',
    );
    expect(await importJson(file, '--consent-given')).toMatchObject({
      object: 'import',
      lines: 2,
      added: 1,
      updated: 1,
      refused: 0,
      refused_file: null,
    });
    expect(await get('ada@example.net')).toMatchObject({
      status: 'subscribed',
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['vip', 'news'],
      fields: { city: 'London, UK', age: '36' },
    });
    // A file has only text: a stored number with the same text stays a number.
    expect(await get('grace@example.net')).toMatchObject({ firstName: 'Grace', fields: { age: 85 } });
    expect(existsSync(`${file}.import.json`)).toBe(false);
    expect(existsSync(`${file}.refused.csv`)).toBe(false);
  });

  it('asks each person to confirm unless the operator answers for the consent', async () => {
    const email = `ada@${workspace.domain}`;
    await importJson(csv('email', email));
    expect((await get(email)).status).toBe('pending');
    expect((await received(service, email)).mail.text).toContain('/confirm/');
  });

  it('imports nothing when no confirmation could be sent', async () => {
    workspace = await newWorkspace(service, { sender: false });
    const { code, stderr } = await mailroom(words(csv('email', 'ada@example.net')));
    expect([code, stderr]).toEqual([1, expect.stringContaining('no default sender')]);
    expect((await api('GET', '/subscribers')).body.data).toEqual([]);
  });

  it('lists refused lines with number and reason, guarded against formulas', async () => {
    const file = csv(
      'email,firstName',
      'ada@example.net,Ada',
      '"=cmd|x","two',
      'lines"',
      'nobody,x',
      'ada@example.net,Ada,more',
      `grace@example.net,${'x'.repeat(101)}`,
    );
    const report = await importJson(file, '--consent-given');
    expect(report).toMatchObject({ lines: 5, added: 1, refused: 4, refused_file: `${file}.refused.csv` });
    expect(refusedOf(file)).toEqual([
      ['line', 'email', 'reason'],
      ['3', "'=cmd|x", expect.stringContaining('email has no @')],
      ['5', 'nobody', 'email has no @'],
      ['6', 'ada@example.net', 'has 3 cells, but the header has 2'],
      ['7', 'grace@example.net', 'firstName must have at most 100 characters'],
    ]);
    expect(statSync(`${file}.refused.csv`).mode & 0o777).toBe(0o600);
  });

  it('does not subscribe people again who left, bounced, complained or are suppressed', async () => {
    Object.assign(process.env, service.environment);
    const { suppress } = await import('../../../shared/services/suppression.ts');
    const gone = ['left', 'bounced', 'complained', 'blocked', 'platform', 'elsewhere'].map(
      (name) => `${name}@${workspace.domain}`,
    );
    const [left = '', bounced = '', complained = '', blocked = '', platform = '', elsewhere = ''] = gone;
    for (const email of [left, bounced, complained]) await api('POST', '/subscribers', { email, double_opt_in: false });
    await api('DELETE', `/subscribers/${encodeURIComponent(left)}`);
    await suppress(workspace.workspaceId, bounced, 'bounce', new Date());
    await suppress(workspace.workspaceId, complained, 'complaint', new Date());
    await api('POST', '/suppression', { email: blocked });
    await suppress(null, platform, 'manual', new Date());
    const file = csv('email,status', ...gone.map((email) => `${email},${email === elsewhere ? 'unsubscribed' : ''}`));
    expect(await importJson(file, '--consent-given')).toMatchObject({
      added: 0,
      updated: 0,
      suppressed: 1,
      refused: 5,
    });
    expect(refusedOf(file).slice(1)).toEqual([
      ['2', left, expect.stringContaining('is unsubscribed')],
      ['3', bounced, expect.stringContaining('bounces permanently')],
      ['4', complained, expect.stringContaining('as spam')],
      ['5', blocked, expect.stringContaining('on the suppression list')],
      ['6', platform, expect.stringContaining('on the suppression list')],
    ]);
    const list = await api('GET', `/suppression?email=${encodeURIComponent(elsewhere)}`);
    expect(list.body.data).toMatchObject([{ email: elsewhere, reason: 'unsubscribe' }]);
    expect(await count()).toBe(0);
    expect((await get(left)).status).toBe('unsubscribed');
  });

  it('asks people to confirm who are pending in the file, even when the operator answers for the others', async () => {
    const file = csv('email,status', 'ada@example.net,pending', 'grace@example.net,subscribed');
    expect(await importJson(file, '--consent-given')).toMatchObject({ added: 2, refused: 0 });
    expect((await get('ada@example.net')).status).toBe('pending');
    expect((await get('grace@example.net')).status).toBe('subscribed');
  });

  it('uses the last line of a person', async () => {
    await api('POST', '/subscribers', { email: 'ada@example.net', tags: ['t0'], double_opt_in: false });
    const lines = [...Array(20).keys()].map((index) => `${index % 2 ? 'ADA' : 'ada'}@example.net,t${index + 1}`);
    await importJson(csv('email,tags', ...lines, 'ada@example.net,t0'), '--consent-given');
    expect((await get('ada@example.net')).tags).toEqual(['t0']);
    expect(await count()).toBe(1);
  });

  it('refuses an unknown header, and imports nothing', async () => {
    const { code, stderr } = await mailroom(words(csv('email,Phone', 'ada@example.net,1'), '--consent-given'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('Phone is not a known column')]);
    expect(await count()).toBe(0);
    await importJson(csv('email,Phone', 'ada@example.net,1'), '--consent-given', '--ignore-unknown');
    expect(await count()).toBe(1);
  });

  it('says that there is no file, or that it is a folder', async () => {
    const none = join(folder, 'none.csv');
    for (const [path, message] of [
      [none, `There is no file "${none}".`],
      [folder, `"${folder}" is a folder, not a file.`],
    ] as const) {
      const { code, stderr } = await mailroom(words(path, '--consent-given'));
      expect([code, stderr]).toEqual([1, `error: ${message}\n`]);
    }
  });

  it('imports into the chosen workspace only', async () => {
    const other = await newWorkspace(service);
    await importJson(csv('email', 'ada@example.net'), '--consent-given');
    expect((await api('GET', '/subscribers', undefined, other)).body.data).toEqual([]);
  });

  it('shows no progress bar without a terminal', async () => {
    const { stdout, stderr } = await mailroom(words(csv('email', 'ada@example.net'), '--consent-given'));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Lines +1\nAdded +1\nUpdated +0\nSuppressed +0\nRefused +0\nRate +\d+ a second\n$/);
  });
});

describe('an interrupted import', () => {
  const people = 3000;
  const lines = () =>
    [...Array(people).keys()].map((index) => (index % 100 === 7 ? `no${index}` : `p${index}@example.net`));

  it('continues after kill -9, with every person and every refused line once', async () => {
    const file = csv('email', ...lines());
    for (const rows of [500, 1500]) await killAfter(file, rows);
    const before = JSON.parse(readFileSync(`${file}.import.json`, 'utf8'));
    expect(before.rows).toBeGreaterThanOrEqual(1500);
    expect(before.added + before.updated + before.refused).toBe(before.rows);
    const { stdout, stderr } = await mailroom([...words(file, '--consent-given'), '--json']);
    expect(stderr).toMatch(/^Continuing an interrupted import after \d+ lines\.\n$/);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ lines: people, refused: 30 });
    expect(report.resumed_after).toBeGreaterThanOrEqual(1500);
    expect(report.added + report.updated).toBe(people - 30);
    expect(await count()).toBe(people - 30);
    const refused = refusedOf(file).slice(1);
    expect(refused.map(([line]) => Number(line))).toEqual([...Array(30).keys()].map((index) => index * 100 + 9));
    expect(existsSync(`${file}.import.json`)).toBe(false);
  });

  it('does not continue with another file, and starts again with --restart', async () => {
    const file = csv('email', ...lines());
    await killAfter(file, 500);
    csv('email', 'ada@example.net');
    const { code, stderr } = await mailroom(words(file, '--consent-given'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('pass --restart to start from the beginning')]);
    expect(await importJson(file, '--consent-given', '--restart')).toMatchObject({
      lines: 1,
      added: 1,
      resumed_after: 0,
    });
  });

  it('imports the lines before a syntax error, and reports its position', async () => {
    const file = csv('email', ...lines().slice(0, 700), '"never closed');
    const { code, stderr } = await mailroom(words(file, '--consent-given'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read from line 702 on')]);
    expect(await count()).toBe(700 - 7);
  });

  /** Starts an import and kills it as soon as this many lines are saved. */
  async function killAfter(file: string, rows: number): Promise<void> {
    const child = spawn(process.execPath, ['functions/cli/main.ts', ...words(file, '--consent-given')], {
      stdio: 'ignore',
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    await eventually(async () => {
      const state = existsSync(`${file}.import.json`) ? JSON.parse(readFileSync(`${file}.import.json`, 'utf8')) : null;
      return state?.rows >= rows;
    }, 50);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
  }
});
