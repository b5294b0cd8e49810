/** Domains by the API: the attacks of a key that wants a domain of somebody else. */
import { startDns } from '../../functions/cli/dnsServer.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { call } from '../client.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let dns: Awaited<ReturnType<typeof startDns>>;
let [own, other]: TestWorkspace[] = [];
let made = 0;
let name = '';

beforeAll(async () => {
  dns = await startDns();
  service = await startService({ env: { DNS_RESOLVER: dns.address } });
  Object.assign(process.env, service.environment);
});
afterAll(async () => {
  await service.stop();
  dns.stop();
});
beforeEach(async () => {
  [own, other] = [await newWorkspace(service), await newWorkspace(service)];
  made += 1;
  name = `shop${made}.test`;
  dns.publish({});
});

const ask = (workspace: TestWorkspace | undefined, method: string, path: string, body?: unknown) =>
  call({ ...service, apiKey: workspace?.apiKey ?? '' }, method, `/api/v1/domains${path}`, { body });
const add = (workspace: TestWorkspace | undefined, domain = name) => ask(workspace, 'POST', '', { name: domain });
const verify = (workspace: TestWorkspace | undefined, domain = name) => ask(workspace, 'POST', `/${domain}/verify`);
const publish = (domain: string, record: { value: string }) =>
  dns.publish({ [`_mailroom.${domain}`]: { TXT: [record.value] } });
async function setAtSes(domain: string, status: 'SUCCESS' | 'PENDING'): Promise<void> {
  const body = JSON.stringify({ verification_status: status });
  await fetch(`${service.sesEndpoint}/_control/identities/${domain}`, { method: 'PUT', body });
}
async function sends(workspace: TestWorkspace | undefined, domain = name): Promise<boolean> {
  const body = { from: `a@${domain}`, to: 'ada@example.net', subject: 'Hello', text: 'Hello' };
  const answer = await call({ ...service, apiKey: workspace?.apiKey ?? '' }, 'POST', '/api/v1/emails', { body });
  if (answer.status !== 202) expect(answer.body.name).toBe('unverified_from_domain');
  return answer.status === 202;
}

describe('a domain that a key adds', () => {
  it('is verified only when SES says so and its TXT record names the workspace', async () => {
    const added = await add(own);
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ object: 'domain', id: name, verified: false, mail_from: `mail.${name}` });
    const [ownership] = added.body.records;
    expect(ownership).toMatchObject({
      purpose: 'ownership',
      type: 'TXT',
      name: `_mailroom.${name}`,
      status: 'pending',
    });
    await setAtSes(name, 'PENDING');
    publish(name, ownership);
    expect((await verify(own)).body).toMatchObject({ verified: false });
    expect(await sends(own)).toBe(false);
    dns.publish({});
    const again = await newWorkspace(service);
    await setAtSes(name, 'SUCCESS');
    expect((await verify(own)).body.verified).toBe(true);
    expect(await sends(own)).toBe(true);
    expect((await add(again)).status).toBe(409);
    expect((await ask(own, 'GET', `/${name}`)).body).toMatchObject({ verified: true });
    const existing = await add(own, name.toUpperCase());
    expect([existing.status, existing.body.id, existing.body.verified]).toEqual([200, name, true]);
  });

  it('is told to webhooks whenever it becomes verified, by a call and by an operator', async () => {
    const hooks = { ...service, apiKey: own?.apiKey ?? '' };
    // Its deliveries are written and held.
    const hook = { url: 'http://127.0.0.1:9/', events: ['domain.verified'], enabled: false };
    const { id } = (await call(hooks, 'POST', '/api/v1/webhooks', { body: hook })).body;
    const told = async () => {
      const { data } = (await call(hooks, 'GET', `/api/v1/webhooks/${id}/deliveries`)).body;
      const details = data.map((delivery: { id: string }) =>
        call(hooks, 'GET', `/api/v1/webhooks/${id}/deliveries/${delivery.id}`),
      );
      return (await Promise.all(details)).map(({ body }) => JSON.parse(body.body));
    };
    const [ownership] = (await add(own)).body.records;
    publish(name, ownership);
    await setAtSes(name, 'PENDING');
    await verify(own);
    expect(await told()).toEqual([]);
    await setAtSes(name, 'SUCCESS');
    for (let time = 0; time < 2; time += 1) await verify(own);
    const record = (await ask(own, 'GET', `/${name}`)).body;
    expect(await told()).toMatchObject([{ type: 'domain.verified', data: record }]);
    await setAtSes(name, 'PENDING');
    await verify(own);
    await setAtSes(name, 'SUCCESS');
    await verify(own);
    expect(new Set((await told()).map((event) => event.id)).size).toBe(2);
    // SES has verified this one for the account, and an operator gives it to the workspace.
    const [{ addDomain }, { ensureDomainIdentity }] = await Promise.all([
      import('../../../shared/services/changeDomains.ts'),
      import('../../../shared/email/domainIdentity.ts'),
    ]);
    await ensureDomainIdentity(`given.${name}`);
    await setAtSes(`given.${name}`, 'SUCCESS');
    for (let time = 0; time < 2; time += 1)
      await addDomain(operatorContext(own?.workspaceId ?? ''), { name: `given.${name}` });
    expect((await told()).map(({ data }) => data.name).sort()).toEqual([`given.${name}`, name, name].sort());
  });

  it('stays unverified without the record, although SES has verified it for the account', async () => {
    const { ensureDomainIdentity, getDomainIdentity } = await import('../../../shared/email/domainIdentity.ts');
    await ensureDomainIdentity(name);
    await setAtSes(name, 'SUCCESS');
    const before = await getDomainIdentity(name);
    const added = await ask(own, 'POST', '', { name, mail_from: `evil.${name}` });
    expect(added.body.verified).toBe(false);
    expect((await verify(own)).body.verified).toBe(false);
    expect(await sends(own)).toBe(false);
    expect(await getDomainIdentity(name)).toEqual(before);
    // Another workspace's record proves nothing, nor does a resolver that does not answer.
    const [theirs] = (await add(other)).body.records;
    publish(name, theirs);
    expect((await verify(own)).body.verified).toBe(false);
    expect((await ask(own, 'DELETE', `/${name}`)).body).toEqual({ object: 'domain', id: name, deleted: true });
    expect(await getDomainIdentity(name)).toEqual(before);
    expect((await verify(other)).body.verified).toBe(true);
    expect(await sends(other)).toBe(true);
    expect(await sends(own)).toBe(false);
  });

  it('needs its record as a subdomain too, of another workspace or of the own one', async () => {
    const { addDomain } = await import('../../../shared/services/changeDomains.ts');
    await addDomain(operatorContext(own?.workspaceId ?? ''), { name });
    await setAtSes(name, 'SUCCESS');
    for (const workspace of [own, other]) {
      const sub = `${workspace === own ? 'own' : 'other'}.${name}`;
      const { body } = await add(workspace, sub);
      expect([body.verified, body.records[0].purpose]).toEqual([false, 'ownership']);
      await setAtSes(sub, 'SUCCESS');
      expect((await verify(workspace, sub)).body.verified).toBe(false);
      publish(sub, body.records[0]);
      expect((await verify(workspace, sub)).body.verified).toBe(true);
      expect(await sends(workspace, sub)).toBe(true);
    }
  });

  it('is refused while another workspace holds it, and deleted only without senders', async () => {
    const held = own?.domain ?? '';
    expect((await ask(own, 'POST', `/${held}/verify`)).status).toBe(200);
    const taken = await add(other, held);
    expect([taken.status, taken.body.error.details]).toEqual([409, { status: 'held' }]);
    const refused = await ask(own, 'DELETE', `/${held}`);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(`hello@${held}`)]);
    expect((await ask(other, 'DELETE', `/${held}`)).status).toBe(404);
    expect((await verify(other, held)).status).toBe(404);
    for (const wrong of ['com', 'a b.example', 'example.com/x', '127.0.0.1', '']) {
      const { status, body } = await add(own, wrong);
      expect({ wrong, status, path: body.error.details.issues[0].path }).toEqual({ wrong, status: 422, path: 'name' });
    }
    const { body } = await ask(own, 'POST', '', { name, mail_from: 'mail.elsewhere.test' });
    expect(body.error.details.issues[0].path).toBe('mail_from');
  });

  it('is verified ten times an hour at most, and every change is in the audit log', async () => {
    await add(own);
    const answers: number[] = [];
    for (let count = 1; count <= 11; count += 1) answers.push((await verify(own)).status);
    // The eleventh may fall into the next hour.
    expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    const last =
      answers[10] === 429 ? 429 : (await Promise.all(Array.from({ length: 10 }, () => verify(own)))).at(-1)?.status;
    expect(last).toBe(429);
    await ask(own, 'DELETE', `/${name}`);
    const { listAudit } = await import('../../../shared/services/operators/operators.ts');
    const { entries } = await listAudit(operatorContext(), { workspaceId: own?.workspaceId ?? '', limit: 50 });
    const done = entries.filter(({ role, subject }) => role === 'key' && subject === name).map(({ action }) => action);
    expect([done[0], done.at(-1), done.includes('domain.verify')]).toEqual(['domain.remove', 'domain.add', true]);
  });
});
