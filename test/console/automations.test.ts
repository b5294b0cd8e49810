import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { type Visitor, visitorOf } from './visitor.ts';

let service: TestService;
let workspace: TestWorkspace;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
  visitor = await visitorOf(service);
});
afterAll(() => service.stop());

const place = (path = '') => `/console/${workspace.workspaceId}${path}`;
const post = async (path: string, fields: Readonly<Record<string, string>>, from = path) =>
  visitor.post(place(path), { form_token: await visitor.formToken(place(from)), ...fields });
const api = async (id: string) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1/automations/${id}`)).body;

const ask = async (method: string, path: string, body?: object) =>
  (await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body })).body;
/** What of a page is read, from the steps on. */
const wordsOf = (text: string) =>
  text
    .slice(text.indexOf('<h2>Steps'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

const definition = {
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'trial_started' } },
    { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '3 days' } },
    { key: 'tag', type: 'subscriber_update', config: { add_tags: ['late'] } },
    { key: 'end', type: 'exit' },
  ],
  connections: [
    { from: 'start', to: 'paid' },
    { from: 'paid', to: 'end', type: 'event_received' },
    { from: 'paid', to: 'tag', type: 'timeout' },
    { from: 'tag', to: 'end' },
  ],
};

async function created(): Promise<string> {
  const answer = await post('/automations/add', { name: 'Trial', definition: JSON.stringify(definition) });
  expect(answer.status).toBe(303);
  return /\/automations\/(auto_\w+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
}

describe('the section of automations', () => {
  it('shows the steps as a list of lists, each step once', async () => {
    const id = await created();
    const reader = await visitorOf(service, { role: 'viewer' });
    const { text } = await reader.get(place(`/automations/${id}`));
    const words = wordsOf(text);
    expect(words).toContain(
      'start Starts when the event trial_started is recorded Entered 0 Waiting now 0 Completed 0',
    );
    expect(words).toContain('paid Wait for the event paid , at most 3 days Entered 0');
    expect(words).toMatch(
      /It came Runs 0 end Leave .* It did not come Runs 0 tag Change the person: \+late .* Goes on at end/,
    );
    expect(text.match(/id="step-end"/g)).toHaveLength(1);
  });

  it('says a rule and a change in words, and shortens what is long', async () => {
    const leaves = [{ trigger: 'amount', operator: 'greater_than', value: 100 }, { not: { tag: 'v'.repeat(64) } }];
    const { id } = await ask('POST', '/automations', {
      name: 'Words',
      steps: [
        definition.steps[0],
        { key: 'big', type: 'condition', config: { all: [...leaves, { step: 'mail', mail: 'opened' }] } },
        {
          key: 'set',
          type: 'subscriber_update',
          config: { fields: { plan: { var: 'event.plan' } }, firstName: 'Ada' },
        },
        { key: 'mail', type: 'send_email', config: { subject: 'Hi', text: 'Hi' } },
      ],
      connections: [
        { from: 'start', to: 'big' },
        { from: 'big', to: 'set', type: 'condition_met' },
        { from: 'set', to: 'mail' },
      ],
    });
    const words = wordsOf((await visitor.get(place(`/automations/${id}`))).text);
    expect(words).toMatch(
      /If data of the start amount is more than 100 and does not have the tag v{60}… and message was/,
    );
    expect(words).toContain('message was opened ( mail )');
    expect(words).toContain('Change the person: plan = {{event.plan}} firstName = Ada');
  });

  it('shows at each step how many runs came, wait, and went which way, of the version that is shown', async () => {
    const id = await created();
    await post(`/automations/${id}/change/enable`, {});
    for (const email of ['n1@example.net', 'n2@example.net']) {
      await ask('POST', '/subscribers', { email, double_opt_in: false });
      await ask('POST', `/automations/${id}/runs`, { email });
    }
    await eventually(async () => (await ask('GET', `/automations/${id}/stats`)).steps[1].waiting === 2);
    await ask('POST', '/events', { name: 'paid', email: 'n1@example.net' });
    await eventually(async () => (await ask('GET', `/automations/${id}/stats`)).runs.completed === 1);
    const words = async (query = '') => wordsOf((await visitor.get(place(`/automations/${id}${query}`))).text);
    const first = await words();
    expect(first).toContain('Runs of version 1: 2 started, 1 running, 1 completed, 0 cancelled, 0 failed.');
    expect(first).toMatch(
      /Wait for the event paid , at most 3 days Entered 2 Waiting now 1 Completed 1 It came Runs 1/,
    );
    expect(first).toMatch(/It did not come Runs 0/);
    await ask('PATCH', `/automations/${id}`, { max_delay: '3 days' });
    expect(await words()).toContain('No run of version 2 yet. Show version 1');
    const earlier = await words('?version=1');
    expect(earlier).toMatch(/Runs of version 1: 2 started.* Show the newest version/);
    expect(earlier).not.toContain('Add a step');
    expect((await visitor.get(place(`/automations/${id}?version=9`))).status).toBe(404);
  });

  it('begins a new one with a start and an end, by its name alone', async () => {
    const { status, headers } = await post('/automations/add', { name: 'Empty' });
    expect(status).toBe(422);
    expect(headers.get('location')).toBeNull();
    const form = await visitor.get(place('/automations/add'));
    const proposed = /<textarea[^>]*>\n(.*?)<\/textarea>/s.exec(form.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const answer = await post('/automations/add', { name: 'Empty', definition: proposed });
    expect(answer.status).toBe(303);
    const id = /auto_\w+/.exec(answer.headers.get('location') ?? '')?.[0] ?? '';
    expect(await api(id)).toMatchObject({
      name: 'Empty',
      status: 'disabled',
      connections: [{ from: 'start', to: 'end' }],
    });
  });

  it('refuses a definition that was opened before another change, and keeps both', async () => {
    const id = await created();
    const path = `/automations/${id}/edit`;
    expect((await visitor.get(place(path))).text).toContain('name="version" value="1"');
    await ask('PATCH', `/automations/${id}`, { run_key: 'event.theirs' });
    const mine = { name: 'Trial', version: '1', definition: JSON.stringify({ ...definition, run_key: 'event.mine' }) };
    const { status, text } = await post(path, mine);
    expect([status, text.includes('was changed after this form was opened')]).toEqual([422, true]);
    expect([text.includes('event.mine'), text.includes('event.theirs'), text.includes('value="2"')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await api(id)).toMatchObject({ version: 2, run_key: 'event.theirs' });
    expect((await post(path, { ...mine, version: '2' })).status).toBe(303);
    expect(await api(id)).toMatchObject({ version: 3, run_key: 'event.mine' });
  });

  it('names every problem of a definition, keeps what was written, and stores nothing', async () => {
    const id = await created();
    const wrong = {
      ...definition,
      steps: definition.steps.with(1, { key: 'paid', type: 'delay', config: {} } as never),
    };
    const path = `/automations/${id}/edit`;
    const { status, text } = await post(path, { name: '', definition: JSON.stringify(wrong, null, 2) });
    expect(status).toBe(422);
    expect(text).toContain('steps[1].config: must have &quot;duration&quot;');
    expect(text).toContain('id="name-problem"');
    expect(text).toContain('&quot;trial_started&quot;');
    const notJson = await post(path, { name: 'Trial', definition: '{"steps": ' });
    expect([notJson.status, notJson.text.includes('is not JSON')]).toEqual([422, true]);
    expect(await api(id)).toMatchObject({ name: 'Trial', version: 1 });
  });

  it('makes a new version of a change, and keeps its status', async () => {
    const id = await created();
    await post(`/automations/${id}/change/enable`, {});
    const { status } = await post(`/automations/${id}/edit`, {
      ...{ name: 'Trial of 14 days', definition: JSON.stringify({ ...definition, max_delay: '2 days' }) },
    });
    expect(status).toBe(303);
    expect(await api(id)).toMatchObject({
      name: 'Trial of 14 days',
      version: 2,
      status: 'enabled',
      max_delay: '2 days',
    });
  });

  it('asks before each change of the status, and says what follows', async () => {
    const id = await created();
    const path = (change: string) => `/automations/${id}/change/${change}`;
    expect((await visitor.get(place(path('stop')))).text).toContain('ends for good');
    for (const [change, status] of [
      ['enable', 'enabled'],
      ['drain', 'draining'],
      ['disable', 'disabled'],
    ] as const) {
      expect((await post(path(change), {})).status).toBe(303);
      expect((await api(id)).status).toBe(status);
    }
    expect((await visitor.get(place(path('explode')))).status).toBe(404);
    await post(path('remove'), {});
    expect((await visitor.get(place(`/automations/${id}`))).status).toBe(404);
  });

  it('offers no change to who may only read, and refuses one', async () => {
    const id = await created();
    const reader = await visitorOf(service, { role: 'viewer' });
    const { text } = await reader.get(place(`/automations/${id}`));
    expect(text).not.toContain('/change/');
    const form_token = await reader.formToken(place(`/automations/${id}`));
    const refused = await reader.post(place(`/automations/${id}/change/enable`), { form_token });
    expect(refused.status).toBe(403);
    expect((await api(id)).status).toBe('disabled');
  });
});
