import { call, eventually } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { startCommands } from './mailroom.ts';

const commands = startCommands();
let service: TestService;
let workspace: { readonly id: string };
let apiKey: string;
beforeAll(async () => {
  service = await startService();
  workspace = await commands.json(['workspace', 'create', 'Acme', '--data', service.dataDir]);
  ({ key: apiKey } = await json('key', 'create', 'Site', '--scopes', 'subscribers:read,subscribers:write'));
});
afterAll(async () => {
  commands.stop();
  await service.stop();
});

const words = (...own: string[]) => [...own, '--data', service.dataDir, '--workspace', workspace.id];
const json = (...own: string[]) => commands.json(words(...own));
const post = (path: string, body: object) => call({ ...service, apiKey }, 'POST', `/api/v1/${path}`, { body });

describe('job', () => {
  it('lists and shows jobs of the API, without their addresses of files, and cancels one', async () => {
    const columns = [{ header: 'Email', as: 'email' }];
    const announced = { filename: 'a.csv', size: 20, kind: 'subscribers', consent_given: true, columns };
    const [{ body: waiting }, { body: started }] = [
      await post('imports', announced),
      await post('exports', { format: 'csv' }),
    ];
    const done = await eventually(async () => {
      const job = await json('job', 'show', started.id);
      return job.status === 'done' && job;
    });
    expect(done).toMatchObject({ object: 'job', kind: 'export', progress: { records: 0 } });
    expect(done).not.toHaveProperty('download');
    const { data, has_more } = await json('job', 'list');
    expect([data.map(({ id }: { id: string }) => id), has_more]).toEqual([[started.id, waiting.id], false]);
    const after = await json('job', 'list', '--limit', '1', '--after', started.id);
    expect(after.data.map(({ id }: { id: string }) => id)).toEqual([waiting.id]);
    expect(await json('job', 'cancel', waiting.id)).toMatchObject({ status: 'canceled' });
    expect(await json('job', 'cancel', started.id)).toMatchObject({ status: 'done' });
    const unknown = await commands.run(words('job', 'show', 'job_01k9zq3v5c8r2m4n6p7s9t0wxy'));
    expect(unknown.code).toBe(1);
    expect((await commands.run(words('job', 'list'))).stdout).toMatch(/^ID +KIND +STATUS +RECORDS +STARTED\n/);
  });
});

describe('subscriber preferences', () => {
  it('shows what a person chose, and records what they refused', async () => {
    await post('subscribers', { email: 'ada@example.net', double_opt_in: false });
    await json('kind', 'set', 'category:news', '--name', 'News');
    const shown = await json('subscriber', 'preferences', 'Ada@example.net');
    expect(shown).toMatchObject({
      ...{ object: 'preferences', email: 'ada@example.net', tracking: { opens: 'unknown', clicks: 'unknown' } },
      topics: [{ name: 'News', subscription: 'opt_in' }],
    });
    const [{ id }] = shown.topics;
    const refused = await json('subscriber', 'preferences', 'ada@example.net', '--deny', 'clicks', '--leave', id);
    expect(refused).toMatchObject({
      tracking: { opens: 'unknown', clicks: 'denied' },
      topics: [{ id, subscription: 'opt_out' }],
    });
    const wrong = await commands.run(words('subscriber', 'preferences', 'ada@example.net', '--deny', 'replies'));
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('replies')]);
  });
});
