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

const ask = async (path: string, body: object) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'POST', `/api/v1${path}`, { body })).body;
const place = (path = '') => `/console/${workspace.workspaceId}${path}`;
const wordsOf = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the simulation of an automation in the console', () => {
  it('shows who would be where on each day, without a script', async () => {
    await ask('/subscribers', { email: 'ada@example.net', double_opt_in: false });
    const { id } = await ask('/automations', {
      name: 'Orders',
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: 'order' } },
        { key: 'rest', type: 'delay', config: { duration: '3 days' } },
        { key: 'end', type: 'exit' },
      ],
      connections: [
        { from: 'start', to: 'rest' },
        { from: 'rest', to: 'end' },
      ],
    });
    const path = `/automations/${id}/simulate`;
    expect((await visitor.get(place(`/automations/${id}`))).text).toContain(path);
    const post = async (fields: Readonly<Record<string, string>>) =>
      visitor.post(place(path), { form_token: await visitor.formToken(place(path)), ...fields });
    const shown = await post({ population: 'audience', days: '2', zone: 'UTC' });
    expect(shown.status).toBe(200);
    expect(wordsOf(shown.text)).toMatch(/People 1 .* Where people would be .* rest 1 .* Day by day/);
    const one = await post({ population: 'emails', email: 'ada@example.net', days: '9', zone: 'UTC' });
    expect(wordsOf(one.text)).toMatch(/Nobody would be in it then\. .* The path of this person .* end /);
    const wrong = await post({ population: 'emails', email: 'nobody', days: '91', zone: 'Mars', date: 'soon' });
    expect(wrong.status).toBe(422);
    const again = await post({ population: 'emails', email: 'nobody', days: '91', zone: 'Mars' });
    for (const field of ['email', 'days', 'zone']) expect(again.text).toContain(`id="${field}-problem"`);
  });
});
