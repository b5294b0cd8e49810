import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let at: (name: string) => string;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service, { sender: false });
  at = (name) => `${name}@${workspace.domain}`;
});

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1/senders${path}`, { body, headers });
const post = (body: unknown) => ask('POST', '', body);
const listed = async () => (await ask('GET', '')).body.data;

describe('senders by the API', () => {
  it('are added, changed field by field, and deleted, the default one last', async () => {
    const added = await post({ email: at('Hello'), name: 'Acme' });
    const first = { object: 'sender', email: at('hello'), name: 'Acme', default: true };
    expect([added.status, added.body]).toEqual([201, first]);
    expect((await post({ email: at('news') })).body).toMatchObject({ name: null, default: false });
    const renamed = await post({ email: at('hello'), name: 'Acme, Inc.' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...first, name: 'Acme, Inc.' }]);
    expect((await post({ email: at('news'), default: true })).body.default).toBe(true);
    expect(await listed()).toEqual([
      { object: 'sender', email: at('news'), name: null, default: true },
      { ...first, name: 'Acme, Inc.', default: false },
    ]);
    expect((await post({ email: at('hello'), name: null })).body.name).toBeNull();
    expect((await post({ email: at('news'), default: false })).status).toBe(409);
    expect((await ask('DELETE', `/${at('news')}`)).status).toBe(409);
    const gone = { object: 'sender', id: at('hello'), email: at('hello'), deleted: true };
    expect((await ask('DELETE', `/${at('HELLO')}`)).body).toEqual(gone);
    expect((await ask('DELETE', `/${at('hello')}`)).status).toBe(404);
    expect((await ask('DELETE', `/${at('news')}`)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('are on a verified domain of the workspace only', async () => {
    const other = await newWorkspace(service);
    for (const domain of [other.domain, `not${workspace.domain}`]) {
      const { status, body } = await post({ email: `a@${domain}` });
      expect([status, body.name]).toEqual([422, 'unverified_from_domain']);
      expect(body.error.details).toEqual({ from: `a@${domain}`, verifiedDomains: [workspace.domain] });
    }
    expect((await post({ email: at('a').replace('@', '@deep.') })).status).toBe(201);
  });

  it('have names that mislead no reader', async () => {
    for (const name of ['Bank <x@bank.example>', 'a\r\nBcc: x@bank.example', '', '  ', 'A \u202e B', 'x'.repeat(201)]) {
      const { status, body } = await post({ email: at('a'), name });
      expect({ name, status, path: body.error?.details.issues[0].path }).toEqual({ name, status: 422, path: 'name' });
    }
    expect((await post({ email: at('a'), display_name: 'A' })).body.message).toContain('did you mean `name`');
    const quoted = 'Ada "the first", Countess';
    expect((await post({ email: at('a'), name: quoted })).body.name).toBe(quoted);
  });

  it('are listed page by page, also after an address, and a repeated call gets its first answer', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await ask('POST', '', { email: at('c') }, headers);
    for (const name of ['a', 'b']) await post({ email: at(name) });
    const again = await ask('POST', '', { email: at('c') }, headers);
    expect([again.status, again.body, again.headers.get('Idempotent-Replay')]).toEqual([201, first.body, 'true']);
    const page = await ask('GET', '?limit=1');
    expect(page.body.data[0].email).toBe(at('b'));
    await ask('DELETE', `/${at('b')}`);
    const rest = await ask('GET', `?cursor=${page.body.next_cursor}`);
    expect(rest.body.data.map(({ email }: { email: string }) => email)).toEqual([at('a'), at('c')]);
    const after = await ask('GET', `?after=${at('a')}`);
    expect(after.body.data).toMatchObject([{ email: at('c') }]);
    expect((await ask('GET', `?after=${at('b')}`)).status).toBe(422);
  });

  it('leave an entry with the key in the audit log', async () => {
    await post({ email: at('a') });
    Object.assign(process.env, service.environment);
    const { listAudit } = await import('../../../shared/services/operators/operators.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { entries } = await listAudit(operatorContext(), { workspaceId: workspace.workspaceId, limit: 3 });
    expect(entries[0]).toMatchObject({ action: 'sender.add', subject: at('a'), role: 'key', outcome: 'done' });
  });
});
