import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { call } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { mailroom, startCommands } from './mailroom.ts';

let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let workspace: TestWorkspace;
let folder: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  folder = mkdtempSync(join(tmpdir(), 'mailroom-export-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (own = workspace) => ['--data', service.dataDir, '--workspace', own.workspaceId];
const run = (...options: string[]) => mailroom(['subscriber', 'export', ...options, ...place()]);
const api = (method: string, path: string, body?: object, own = workspace) =>
  call({ ...service, apiKey: own.apiKey }, method, `/api/v1${path}`, body && { body });
const subscribe = async (email: string, over: object = {}, own = workspace) =>
  (await api('POST', '/subscribers', { email, double_opt_in: false, ...over }, own)).body;
const csvOf = (text: string): Record<string, string>[] => parse(text, { columns: true });
const jsonOf = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));

async function importLines(lines: readonly string[], own = workspace): Promise<void> {
  const file = join(folder, 'import.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await commands.json(['subscriber', 'import', file, '--consent-given', ...place(own)]);
}

describe('subscriber export', () => {
  it('writes the records of the API as JSON Lines, newest first', async () => {
    const ada = await subscribe('ada@example.net', { firstName: 'Ada', tags: ['vip'], fields: { age: 36, uk: true } });
    const grace = await subscribe('grace@example.net');
    const { code, stdout, stderr } = await run('--format', 'jsonl');
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonOf(stdout)).toEqual([grace, ada]);
  });

  it('writes CSV with a column for every field in use', async () => {
    const ada = await subscribe('ada@example.net', { lastName: 'O"Neil', tags: ['a', 'b'], fields: { city: 'Paris' } });
    await subscribe('grace@example.net', { fields: { age: 85, note: 'two\nlines' } });
    const { stdout } = await run();
    expect(stdout.split('\n')[0]).toBe(
      'email,status,firstName,lastName,created_at,updated_at,confirmed_at,unsubscribed_at,tags,fields.age,fields.city,fields.note',
    );
    expect(csvOf(stdout).map(({ email, ...cells }) => [email, cells])).toEqual([
      ['grace@example.net', expect.objectContaining({ 'fields.age': '85', 'fields.note': 'two\nlines', tags: '' })],
      [
        'ada@example.net',
        {
          status: 'subscribed',
          firstName: '',
          lastName: 'O"Neil',
          created_at: ada.created_at,
          updated_at: ada.updated_at,
          confirmed_at: '',
          unsubscribed_at: '',
          tags: 'a, b',
          'fields.age': '',
          'fields.city': 'Paris',
          'fields.note': '',
        },
      ],
    ]);
  });

  it('guards cells against formulas, and an import reads all of it back', async () => {
    await subscribe('=ada+x@example.net', {
      firstName: '=HYPERLINK("http://evil.example")',
      lastName: '@SUM(1)',
      tags: ['-1', 'a;b', '[x]'],
      fields: { phone: '+33 1', tab: '\t=1', quoted: "'=1", plain: "d'accord" },
    });
    const file = join(folder, 'out.csv');
    await run('--out', file);
    const cells: string[][] = parse(readFileSync(file));
    expect(cells).toHaveLength(2);
    for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const other = await newWorkspace(service);
    await commands.json(['subscriber', 'import', file, '--consent-given', ...place(other)]);
    const values = ({ email, firstName, lastName, tags, fields }: Record<string, unknown>) => [
      email,
      firstName,
      lastName,
      tags,
      fields,
    ];
    const [there] = (await api('GET', '/subscribers', undefined, other)).body.data;
    const [here] = (await api('GET', '/subscribers')).body.data;
    expect(values(there)).toEqual(values(here));
  });

  it('writes only one status, or only the people whom a campaign to a segment would reach', async () => {
    await subscribe('ada@example.net', { tags: ['vip'] });
    await subscribe('grace@example.net', { tags: ['vip'] });
    await subscribe('alan@example.net');
    await subscribe('left@example.net', { tags: ['vip'] });
    await api('DELETE', '/subscribers/left%40example.net');
    await commands.json(['suppression', 'add', 'grace@example.net', '--platform', '--data', service.dataDir]);
    const emailsOf = async (...options: string[]) =>
      jsonOf((await run('--format', 'jsonl', ...options)).stdout).map(({ email }) => email);
    expect(await emailsOf('--status', 'unsubscribed')).toEqual(['left@example.net']);
    await commands.json(['segment', 'create', 'Vip', '--rule', '{"tag": "vip"}', ...place()]);
    expect(await emailsOf('--segment', 'vip')).toEqual(['ada@example.net']);
    expect((await commands.json(['segment', 'count', 'vip', ...place()])).recipients).toBe(1);
    const both = await run('--segment', 'vip', '--status', 'subscribed');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });

  it('writes everybody of the workspace once over all pages', async () => {
    const emails = [...Array(1100).keys()].map((index) => `p${index}@example.net`);
    await importLines(['email', ...emails]);
    const other = await newWorkspace(service);
    await importLines(['email', 'theirs@example.net'], other);
    const { stdout } = await run();
    expect(
      csvOf(stdout)
        .map(({ email }) => email)
        .sort(),
    ).toEqual(emails.sort());
  });

  it('writes a complete file or none, readable by its owner only', async () => {
    await subscribe('ada@example.net');
    const file = join(folder, 'out.jsonl');
    expect(await commands.json(['subscriber', 'export', '--format', 'jsonl', '--out', file, ...place()])).toEqual({
      object: 'export',
      file,
      format: 'jsonl',
      people: 1,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(jsonOf(readFileSync(file, 'utf8'))).toHaveLength(1);
    expect(existsSync(`${file}.partial`)).toBe(false);
    const { code, stderr } = await run('--out', join(folder, 'nowhere', 'out.csv'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  it('succeeds when its reader closes the pipe early', async () => {
    await importLines([
      'email,fields.note',
      ...[...Array(1500).keys()].map((n) => `p${n}@example.net,${'x'.repeat(900)}`),
    ]);
    const child = spawn(process.execPath, ['functions/cli/main.ts', 'subscriber', 'export', ...place()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, errors]).toEqual([0, '']);
  });
});
