import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  folder = mkdtempSync(join(tmpdir(), 'mailroom-segment-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

const place = () => ['--data', service.dataDir, '--workspace', workspace.workspaceId];
const run = (...words: string[]) => mailroom(['segment', ...words, ...place()]);
const json = (...words: string[]) => commands.json(['segment', ...words, ...place()]);

async function subscribe(body: object, own = workspace) {
  const at = { ...service, apiKey: own.apiKey };
  const { status } = await call(at, 'POST', '/api/v1/subscribers', { body: { double_opt_in: false, ...body } });
  expect(status).toBe(201);
}

const rule = { all: [{ tag: 'vip' }, { not: { field: 'city', operator: 'equals', value: 'Paris' } }] };

describe('segment create', () => {
  it('stores a rule given as JSON or in a file, and shows it unchanged', async () => {
    const file = join(folder, 'rule.json');
    writeFileSync(file, JSON.stringify(rule));
    const made = await json('create', 'Not Paris', '--rule', file);
    expect(made).toMatchObject({ object: 'segment', id: expect.stringMatching(/^seg_/), name: 'Not Paris', rule });
    const second = await json('create', 'Vip', '--rule', '{"tag": "vip"}');
    expect((await json('list')).data).toEqual([second, made]);
    expect(await json('show', 'not paris')).toEqual(made);
    expect(await json('show', second.id)).toEqual(second);
  });

  it('reports every problem of a rule, and stores nothing', async () => {
    const { code, stderr } = await run('create', 'Wrong', '--rule', '{"any": [{"tag": 1}, {"colour": "red"}]}');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: rule.any[0].tag must be a string; rule.any[1] must have one of: all, any, not, tag, name, field, date, event, mail\n',
    );
    expect((await json('list')).data).toEqual([]);
  });

  it.each([
    ['{"tag": ', 'This is not JSON'],
    ['nowhere.json', 'There is no file "nowhere.json"'],
  ])('reports the problem of %j', async (text, expected) => {
    const { code, stderr } = await run('create', 'Wrong', '--rule', text);
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });

  it('refuses a name that exists in another case', async () => {
    await json('create', 'Vip', '--rule', '{"tag": "vip"}');
    const { code, stderr } = await run('create', 'VIP', '--rule', '{"tag": "vip"}');
    expect([code, stderr]).toEqual([1, 'error: There is a segment "VIP" already.\n']);
  });
});

describe('segment count', () => {
  it('counts exactly the people whom a campaign would reach', async () => {
    const other = await newWorkspace(service);
    await subscribe({ email: 'theirs@example.net', tags: ['vip'] }, other);
    await subscribe({ email: 'ada@example.net', tags: ['vip'], fields: { city: 'London' } });
    await subscribe({ email: 'blaise@example.net', tags: ['vip'], fields: { city: 'paris' } });
    await subscribe({ email: 'grace@example.net', tags: ['vip'] });
    await subscribe({ email: 'alan@example.net' });
    await subscribe({ email: 'pending@example.net', tags: ['vip'], double_opt_in: true });
    await subscribe({ email: 'gone@example.net', tags: ['vip'] });
    await call({ ...service, apiKey: workspace.apiKey }, 'DELETE', '/api/v1/subscribers/gone%40example.net');
    const { id } = await json('create', 'Not Paris', '--rule', JSON.stringify(rule));
    expect(await json('count', 'Not Paris')).toEqual({ object: 'segment_count', id, name: 'Not Paris', recipients: 2 });
    await commands.json(['suppression', 'add', 'grace@example.net', '--platform', '--data', service.dataDir]);
    expect((await json('count', id)).recipients).toBe(1);
    const people = (await run('count', id)).stdout;
    expect(people).toBe('In Not Paris, subscribed and not suppressed: 1.\n');
  });

  it('does not find the segments of another workspace', async () => {
    const { id } = await json('create', 'Vip', '--rule', '{"tag": "vip"}');
    const other = await newWorkspace(service);
    const elsewhere = ['--data', service.dataDir, '--workspace', other.workspaceId];
    const { code, stderr } = await mailroom(['segment', 'count', id, ...elsewhere]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no segment "${id}"`)]);
  });
});
