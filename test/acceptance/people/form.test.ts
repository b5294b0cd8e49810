import { operatorContext } from '../../shared/services/context.ts';
import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

const ask = (method: string, body?: unknown) =>
  call({ ...service, apiKey: workspace.apiKey }, method, '/api/v1/form', { body });

describe('the sign-up form by the API', () => {
  it('is changed field by field, and shown to people as it is then', async () => {
    const { body: usual } = await ask('GET');
    expect(usual).toMatchObject({ object: 'form', text: null, privacy_url: null, language: null, fields: [] });
    const fields = [{ name: 'size', label: 'Size <b>', choices: ['S', 'M'] }];
    const changed = await ask('PATCH', { text: 'One mail <i>a month', fields, language: 'fr' });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...usual, text: 'One mail <i>a month', fields, language: 'fr' },
    });
    expect((await ask('PATCH', { language: null })).body).toEqual({ ...changed.body, language: null });
    expect((await ask('PATCH', {})).body).toEqual({ ...changed.body, language: null });
    const page = await (await fetch(usual.url)).text();
    expect(page).toContain('One mail &lt;i&gt;a month');
    expect(page).toContain('Size &lt;b&gt;');
    expect((await ask('PATCH', { text: null, fields: null })).body).toEqual(usual);
  });

  it('names the fields of the call in what it refuses', async () => {
    for (const [path, body] of [
      ['text', { text: '' }],
      ['privacy_url', { privacy_url: 'javascript:alert(1)' }],
      ['redirect_url', { redirect_url: 'https://elsewhere.example/' }],
      ['fields[0]', { fields: [{ name: 'two words', label: 'A' }] }],
      ['fields[0]', { fields: [{ name: 'a', label: 'A', choice: [] }] }],
      ['privacy', { privacy: 'https://example.com/' }],
      ['origins', { origins: ['https://example.com'] }],
    ] as const) {
      const { status, body: answer } = await ask('PATCH', body);
      expect({ status, path: answer.error?.details.issues[0].path }).toEqual({
        status: 422,
        path: expect.stringContaining(path),
      });
    }
  });

  it('is in the audit log with the key', async () => {
    await ask('PATCH', { text: 'Audited' });
    Object.assign(process.env, service.environment);
    const { listAudit } = await import('../../../shared/services/operators/operators.ts');
    const { entries } = await listAudit(operatorContext(), { workspaceId: workspace.workspaceId, limit: 1 });
    expect(entries[0]).toMatchObject({ action: 'form.set', role: 'key', outcome: 'done' });
  });
});
