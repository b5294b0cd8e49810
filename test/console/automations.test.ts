import { call } from '../acceptance/client.ts';
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
    const { text } = await visitor.get(place(`/automations/${id}`));
    const words = text
      .slice(text.indexOf('<div class="flow">'))
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(words).toContain(
      'start Starts when the event trial_started is recorded paid Wait for the event paid , at most 3 days',
    );
    expect(words).toContain('It came end Leave It did not come tag Change the person: +late Goes on at end');
    expect(text.match(/id="step-end"/g)).toHaveLength(1);
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
