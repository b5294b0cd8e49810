import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { operatorContext } from '../shared/services/context.ts';
import { type Visitor, visitorOf } from './visitor.ts';

let service: TestService;
let workspace: TestWorkspace;
let ofOne: Visitor;
let ofAll: Visitor;

const place = (path = '') => `/console/${workspace.workspaceId}${path}`;
const account = async () => (await call({ ...service, apiKey: workspace.apiKey }, 'GET', '/api/v1/me')).body;

async function post(visitor: Visitor, path: string, fields: Record<string, string> = {}): Promise<number> {
  const formToken = await visitor.formToken(place('/settings'));
  return (await visitor.post(place(path), { form_token: formToken, ...fields })).status;
}

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service, { plan: 'free' });
  const { suspend } = await import('../../shared/store/workspace/workspaces.ts');
  await suspend(workspace.workspaceId, { since: new Date().toISOString(), bounceRate: 0.2, complaintRate: 0 });
  [ofOne, ofAll] = [await visitorOf(service, { workspaceId: workspace.workspaceId }), await visitorOf(service)];
});
afterAll(() => service.stop());

describe('the console', () => {
  it('does not let an owner of one workspace lift its suspension, and says who may', async () => {
    expect((await ofOne.get(place())).text).toContain('an owner of all workspaces can then resume');
    const page = await ofOne.get(place('/resume'));
    expect(page.text).toContain('Only an owner of all workspaces may resume sending');
    expect(page.text).not.toContain(`action="${place('/resume')}"`);
    expect(await post(ofOne, '/resume')).toBe(403);
    expect((await account()).sending.suspended).toBe(true);
  });

  it('does not let an owner of one workspace change its plan, and says who may', async () => {
    const page = await ofOne.get(place('/settings'));
    expect(page.text).toContain('Only an owner of all workspaces may change the plan');
    expect(page.text).not.toContain('/settings/plan');
    expect(await post(ofOne, '/settings/plan', { plan: 'scale' })).toBe(403);
    expect((await account()).plan.name).toBe('free');
  });

  it('does not let an owner of one workspace send as a domain that it did not prove, and shows how to prove it', async () => {
    const domain = `${workspace.workspaceId.slice(-8)}.test`;
    const other = await newWorkspace(service);
    const key = { ...service, apiKey: workspace.apiKey };
    expect(await post(ofOne, '/domains', { domain })).toBe(303);
    const page = (await ofOne.get(place(`/domains/at/${domain}`))).text;
    expect(page).toContain(`_mailroom.${domain}`);
    expect(page).toContain('mailroom-workspace=');
    const { body } = await call(key, 'GET', `/api/v1/domains/${domain}`);
    expect(body).toMatchObject({
      verified: false,
      records: [{ purpose: 'ownership', type: 'TXT', status: 'pending' }, {}, {}, {}, {}, {}, {}],
    });
    expect(await post(ofOne, '/domains', { domain: other.domain })).toBe(422);
    expect(await post(ofOne, '/domains', { domain: `mail.${other.domain}` })).toBe(303);
    const { domains } = await account();
    expect(domains).not.toContainEqual({ domain: other.domain, verified: true });
    expect(domains).toContainEqual({ domain: `mail.${other.domain}`, verified: false });
  });

  it('lets only an owner of all workspaces hold all sending, and says on every page that it is held', async () => {
    const banner = 'All sending is held: no message leaves this deployment';
    expect((await ofOne.get(place('/sending'))).text).toContain('Only an owner of all workspaces may do this');
    expect(await post(ofOne, '/sending/hold')).toBe(403);
    expect((await ofAll.get(place())).text).not.toContain(banner);
    expect(await post(ofAll, '/sending/hold')).toBe(303);
    for (const path of ['', '/people', '/campaigns', '/settings', '/sending']) {
      for (const visitor of [ofOne, ofAll]) {
        await eventually(async () => (await visitor.get(place(path))).text.includes(banner));
      }
    }
    expect((await ofAll.get('/console?all')).text).toContain(banner);
    expect((await ofOne.get(place('/sending'))).text).not.toContain(`action="${place('/sending/release')}"`);
    expect((await ofAll.get(place('/sending'))).text).toContain(`action="${place('/sending/release')}"`);
    expect(await post(ofOne, '/sending/release')).toBe(403);
    expect(await post(ofAll, '/sending/release')).toBe(303);
    await eventually(async () => !(await ofOne.get(place('/people'))).text.includes(banner));
  });

  it('lets an owner of one workspace end the pause of its confirmations, by a button', async () => {
    const { pauseConfirmations, getWorkspace } = await import('../../shared/store/workspace/workspaces.ts');
    const now = new Date();
    const [since, until] = [now, new Date(now.getTime() + 86_400_000)].map((at) => at.toISOString()) as [
      string,
      string,
    ];
    const baseline = { date: since.slice(0, 10), sent: 0, delivered: 0, bounced: 0, complained: 0 };
    await pauseConfirmations(workspace.workspaceId, { since, until, baseline, bounceRate: 0.5, complaintRate: 0 }, now);
    expect((await ofOne.get(place())).text).toContain(place('/confirmations/resume'));
    expect((await ofOne.get(place('/confirmations/resume'))).text).toContain('Resume confirmations');
    expect(await post(ofOne, '/confirmations/resume')).toBe(303);
    const { confirmationPause } = (await getWorkspace(workspace.workspaceId)) ?? {};
    expect(new Date(confirmationPause?.until ?? until) <= new Date()).toBe(true);
    expect((await ofOne.get(place())).text).not.toContain(place('/confirmations/resume'));
  });

  it('lets an owner of all workspaces do both, and notes it', async () => {
    expect(await post(ofAll, '/settings/plan', { plan: 'scale' })).toBe(303);
    expect(await post(ofAll, '/resume')).toBe(303);
    expect(await account()).toMatchObject({ plan: { name: 'scale' }, sending: { suspended: false } });
    const { listAudit } = await import('../../shared/services/operators/operators.ts');
    const { workspaceId } = workspace;
    const { entries } = await listAudit(operatorContext(workspaceId), { workspaceId, limit: 5 });
    const done = { by: 'Ada', door: 'console', outcome: 'done' };
    expect(entries.filter(({ door }) => door === 'console').slice(0, 2)).toMatchObject([
      { action: 'sending.resume', ...done },
      { action: 'plan.set', subject: 'scale', ...done },
    ]);
  });
});
