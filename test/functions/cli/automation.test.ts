import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  folder = mkdtempSync(join(tmpdir(), 'mailroom-automation-'));
  workspace = await newWorkspace(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const place = () => ['--data', service.dataDir, '--workspace', workspace.workspaceId];
const run = (...words: string[]) => mailroom(['automation', ...words, ...place()]);
const json = (...words: string[]) => commands.json(['automation', ...words, ...place()]);
const file = (name: string, content?: unknown) => {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, JSON.stringify(content));
  return path;
};

const definition = {
  name: 'Orders',
  steps: [
    { type: 'trigger', key: 'start', config: { event_name: 'order_placed' } },
    { key: 'rest', type: 'delay', config: { duration: '3 days' } },
    { key: 'end', type: 'exit' },
  ],
  connections: [
    { from: 'start', to: 'rest' },
    { from: 'rest', to: 'end' },
  ],
};

describe('the definition of an automation in a file', () => {
  it('is the same text after it was pulled, edited and pulled again', async () => {
    const { id } = await json('create', file('new.json', { ...definition, max_delay: '2 days', reentry: 'always' }));
    await run('pull', id, file('first.json'));
    const first = readFileSync(file('first.json'), 'utf8');
    expect(JSON.parse(first)).toMatchObject({ name: 'Orders', max_delay: '2 days', reentry: 'always' });
    expect((await json('edit', id, file('first.json'))).version).toBe(1);
    await run('pull', id, file('second.json'));
    expect(readFileSync(file('second.json'), 'utf8')).toBe(first);
  });

  it('is all of it: what the file leaves out has its default, and its status stays', async () => {
    const { id } = await json('create', file('more.json', { ...definition, max_delay: '2 days' }));
    await json('enable', id);
    const edited = await json('edit', id, file('less.json', definition));
    expect(edited).toMatchObject({ version: 2, max_delay: '48 hours', status: 'enabled' });
    await json('pull', id, file('old.json'), '--of-version', '1');
    expect(JSON.parse(readFileSync(file('old.json'), 'utf8'))).toMatchObject({ max_delay: '2 days' });
  });

  it('is refused with a line for each problem', async () => {
    const [start, rest] = definition.steps;
    const wrong = {
      ...definition,
      steps: [start, { ...rest, config: { duration: 'soon' } }, { key: 'lost', type: 'exit' }],
    };
    const { code, stderr } = await run('create', file('wrong.json', wrong));
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      'steps[1].config.duration: must be a number of minutes, hours, days or weeks, as in "3 days"',
      'connections[1].to: is not the key of a step',
      'steps[2]: cannot be reached: no connection leads here from the trigger',
      expect.stringMatching(/^error: .*wrong\.json" is not a definition .* 3 of its places must change\.$/),
      '',
    ]);
  });
});

describe('the status of an automation', () => {
  it('is changed by a command each, and shown', async () => {
    const { id } = await json('create', file('status.json', definition));
    expect((await json('enable', id)).status).toBe('enabled');
    expect((await json('drain', id)).status).toBe('draining');
    expect((await json('list', '--status', 'draining')).data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await json('disable', id)).status).toBe('disabled');
    expect(await json('stop', id)).toEqual({ object: 'automation', id, status: 'disabled' });
    const { stdout } = await run('show', id);
    expect(stdout).toMatch(/^rest +delay +\{"duration":"3 days"\} +end$/m);
    expect(await json('delete', id)).toEqual({ object: 'automation', id, deleted: true });
    expect((await run('show', id)).code).toBe(1);
  });
});

describe('a simulation on the command line', () => {
  it('is a table by day and step, of an automation or of a file', async () => {
    const { id } = await json('create', file('simulated.json', definition));
    const asked = ['--from', '2026-12-01T09:00:00Z', '--at', '2026-12-02T09:00:00Z', '--days', '7'];
    const { stdout } = await run('simulate', id, ...asked);
    expect(stdout).toMatch(/^People +0$/m);
    expect(stdout).toContain('Nothing happens in these days.');
    const email = `ada-${id}@example.net`;
    await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/subscribers', {
      body: { email, double_opt_in: false },
    });
    const shown = await run('simulate', '--definition', file('simulated.json'), ...asked);
    expect(shown.stdout).toMatch(/^In it at 2026-12-02T09:00:00Z +rest 1$/m);
    expect(shown.stdout).toMatch(/^2026-12-04 +end +1 +0$/m);
    const { paths } = await json('simulate', id, '--email', email, ...asked);
    expect(paths).toMatchObject([{ email, status: 'completed', reason: 'exit' }]);
    const refused = await run('simulate', id, '--days', '91');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('days') });
  });
});
