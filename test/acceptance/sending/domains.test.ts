import { Resend } from 'resend';
import { call } from '../client.ts';
import { setFaults } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service, { scopes: ['emails:send'] });
});
afterAll(() => service.stop());

const get = (path: string, own = workspace) =>
  call({ ...service, apiKey: own.apiKey }, 'GET', `/api/v1/domains${path}`);

async function add(name: string): Promise<void> {
  Object.assign(process.env, service.environment);
  const { addDomain } = await import('../../../shared/services/changeDomains.ts');
  const { operatorContext } = await import('../../shared/services/context.ts');
  await addDomain(operatorContext(workspace.workspaceId), { name });
}

describe('the domains of a workspace', () => {
  it('are listed by name, page after page, for any key', async () => {
    await add('zoo.example');
    await add('bücher.example');
    const all = ['xn--bcher-kva.example', 'zoo.example', workspace.domain].sort();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { status, body } = await get(`?limit=1${cursor && `&cursor=${cursor}`}`);
      expect([status, body.data.length]).toEqual([200, 1]);
      seen.push(body.data[0].name);
      cursor = body.next_cursor ?? '';
    } while (cursor && seen.length < 10);
    expect(seen).toEqual(all);
  });

  it('are shown with their DNS records and the states of these at the provider', async () => {
    await add('new.example');
    const { status, body } = await get('/new.example');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'domain',
      id: 'new.example',
      name: 'new.example',
      mail_from: 'mail.new.example',
    });
    const purposes = body.records.map(({ purpose }: { purpose: string }) => purpose);
    expect(purposes).toEqual(['dkim', 'dkim', 'dkim', 'mail_from_mx', 'mail_from_spf', 'dmarc']);
    expect(body.records.at(-1)).toMatchObject({ type: 'TXT', name: '_dmarc.new.example', status: 'unchecked' });
    for (const { status: state } of body.records.slice(0, -1)) expect(['verified', 'pending']).toContain(state);
  });

  it('are found in any spelling, and those of other workspaces are not', async () => {
    await add('other.example');
    expect((await get('/OTHER.Example')).body.id).toBe('other.example');
    const stranger = await newWorkspace(service);
    expect((await get('/other.example', stranger)).status).toBe(404);
    expect((await get('/nowhere.example')).status).toBe(404);
    expect((await get('/%00..%2F')).status).toBe(404);
  });

  it('answer 429 when the provider throttles', async () => {
    await setFaults(service, { error: 'TooManyRequestsException', operations: ['GetEmailIdentity'] });
    const { status, headers, body } = await get(`/${workspace.domain}`);
    await setFaults(service);
    expect([status, headers.get('retry-after'), body.name]).toEqual([429, '2', 'rate_limit_exceeded']);
  });

  it('are read by the resend client', async () => {
    const { data, error } = await new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/v1` }).domains.list();
    expect(error).toBeNull();
    expect(data?.data.map(({ name }) => name)).toContain(workspace.domain);
  });
});
