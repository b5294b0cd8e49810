import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { type Visitor, visitorOf, visitorWith } from './visitor.ts';

let service: TestService;
let workspace: TestWorkspace;
let visitor: Visitor;
let id: string;
const hostile = 'x<script>alert(1)</script>';

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
  visitor = await visitorOf(service);
  const steps = [
    { key: 'start', type: 'trigger', config: { event_name: 'began' } },
    { key: 'hello', type: 'send_email', config: { subject: 'Hello', text: 'Hello.' } },
    { key: 'rest', type: 'delay', config: { duration: '3 days' } },
  ];
  const connections = [
    { from: 'start', to: 'hello' },
    { from: 'hello', to: 'rest' },
  ];
  const from = `hello@${workspace.domain}`;
  ({ id } = await ask('POST', '/automations', { name: 'Hello', from, steps, connections, status: 'enabled' }));
  for (const email of [addressOf('ada'), addressOf('alan')]) {
    await ask('POST', '/subscribers', { email, double_opt_in: false });
    await ask('POST', '/events', { name: 'began', email, data: { from: hostile } });
  }
  await eventually(async () => (await runs()).filter(({ step }) => step === 'rest').length === 2, 30);
});
afterAll(() => service.stop());

const addressOf = (name: string) => `${name}@${workspace.domain}`;
const ask = async (method: string, path: string, body?: object) =>
  (await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body })).body;
const runs = async (): Promise<{ id: string; email: string; step: string | null; status: string }[]> =>
  (await ask('GET', `/automations/${id}/runs`)).data;
const place = (path = '') => `/console/${workspace.workspaceId}/automations/${id}${path}`;
const wordsOf = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the runs of an automation', () => {
  it('are listed with the step that each is at, and by status', async () => {
    const { text } = await visitor.get(place('/runs'));
    for (const name of ['ada', 'alan']) expect(wordsOf(text)).toContain(`${addressOf(name)} running rest`);
    const ended = await visitor.get(`${place('/runs')}?status=failed`);
    expect(wordsOf(ended.text)).toContain('No run matches.');
    expect((await visitor.get(`${place('/runs')}?status=lost`)).status).toBe(422);
    expect((await visitor.get(place())).text).toContain(`automations/${id}/runs"`);
  });

  it('are found by the address of a person, which is in no URL', async () => {
    const fields = { form_token: await visitor.formToken(place('/runs')), email: addressOf('ada') };
    const { headers } = await visitor.post(place('/runs'), fields);
    const found = headers.get('location') ?? '';
    expect(found).not.toContain('ada');
    const { text } = await visitor.get(
      new URL(found, service.baseUrl).pathname + new URL(found, service.baseUrl).search,
    );
    expect(wordsOf(text)).toContain(`${addressOf('ada')} running`);
    expect(text).not.toContain(addressOf('alan'));
  });

  it('show what happened at each step, with a link to the message', async () => {
    const [run] = (await runs()).filter(({ email }) => email === addressOf('ada'));
    const { text } = await visitor.get(place(`/runs/${run?.id}`));
    expect(wordsOf(text)).toMatch(/start completed .* hello completed sent .* rest waiting/);
    expect(text).toMatch(/\/emails\/email_\w+"/);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('alert(1)');
    expect((await visitor.get(place('/runs/run_01k9zs0a6d4b8e2f5g7h1j3k9m'))).status).toBe(404);
    const other = await newWorkspace(service);
    const elsewhere = `/console/${other.workspaceId}/automations/${id}/runs/${run?.id}`;
    expect((await visitor.get(elsewhere)).status).toBe(404);
  });

  it('are cancelled after a confirmation, and not by an operator who may only read', async () => {
    const [run] = (await runs()).filter(({ email }) => email === addressOf('alan'));
    const path = place(`/runs/${run?.id}/cancel`);
    const reader = await visitorOf(service, { role: 'viewer' });
    expect((await reader.get(place(`/runs/${run?.id}`))).text).not.toContain('/cancel');
    expect((await reader.get(path)).status).toBe(403);
    expect((await visitor.get(path)).text).toContain('What was sent stays sent.');
    expect((await visitor.post(path, { form_token: await visitor.formToken(path) })).status).toBe(303);
    expect(wordsOf((await visitor.get(place(`/runs/${run?.id}`))).text)).toContain('cancelled cancelled by hand');
    expect((await ask('GET', `/automations/${id}/runs/${run?.id}`)).status).toBe('cancelled');
  });

  it('are there in French', async () => {
    const form_token = await visitor.formToken(place('/runs'));
    const chosen = await visitor.post('/console/language', { form_token, language: 'fr', back: place('/runs') });
    const [language] = chosen.headers.get('set-cookie')?.split(';') ?? [];
    const french = visitorWith(service, `${visitor.cookie}; ${language}`);
    const words = wordsOf((await french.get(place('/runs'))).text);
    expect(words).toContain('Parcours');
    expect(words).toContain('annulé annulé à la main');
  });
});
