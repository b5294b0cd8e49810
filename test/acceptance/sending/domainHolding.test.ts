import { startDns } from '../../functions/cli/dnsServer.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { startService, type TestService } from '../service.ts';

let service: TestService;
let verbs: Awaited<ReturnType<typeof load>>;
let dns: Awaited<ReturnType<typeof startDns>>;
let [a, w] = ['', ''];
let made = 0;
let bank = '';

const load = async () => ({
  ...(await import('../../../shared/services/changeDomains.ts')),
  ...(await import('../../../shared/services/domains.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/emails/checks.ts')),
  ...(await import('../../../shared/domain/workspace/domainOwnership.ts')),
  ses: await import('../../../shared/email/domainIdentity.ts'),
  store: await import('../../../shared/store/workspace/workspaces.ts'),
});

beforeAll(async () => {
  [service, dns] = await Promise.all([startService(), startDns()]);
  Object.assign(process.env, service.environment);
  verbs = await load();
});
afterAll(async () => {
  await dns.stop();
  await service.stop();
});
beforeEach(async () => {
  const workspace = async () =>
    (await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' })).id;
  [a, w] = [await workspace(), await workspace()];
  made += 1;
  bank = `bank${made}.test`;
  dns.publish({});
});

const platform = (id: string) => operatorContext(id);
const ownerOf = (id: string) => ({ ...operatorContext(id), actor: { ...operatorContext(id).actor, workspaceId: id } });
const add = (id: string, name: string) => verbs.addDomain(ownerOf(id), { name });
const verify = (id: string, name: string) => verbs.verifyDomain(ownerOf(id), { name, resolver: dns.address });
const isAtSes = async (domain: string) => (await verbs.ses.getDomainIdentity(domain)) !== null;
async function setVerified(domain: string, isVerified: boolean): Promise<void> {
  const body = JSON.stringify({ verification_status: isVerified ? 'SUCCESS' : 'PENDING' });
  await fetch(`${service.sesEndpoint}/_control/identities/${domain}`, { method: 'PUT', body });
}
const legacy = async (id: string, name: string) => {
  await verbs.ses.ensureDomainIdentity(name);
  return verbs.store.putDomain(id, name, new Date(), new Date());
};
const publish = (...records: readonly (readonly [id: string, domain: string])[]) =>
  dns.publish(
    Object.fromEntries(records.map(([id, domain]) => [`_mailroom.${domain}`, { TXT: [recordOf(id, domain).value] }])),
  );
const recordOf = (id: string, domain: string) => verbs.ownershipRecord(id, domain);
/** Whether a workspace may send as an address of a domain, by what a send reads. */
async function sends(id: string, domain: string): Promise<boolean> {
  const domains = (await verbs.store.getWorkspace(id))?.domains ?? [];
  try {
    verbs.checkDomain(`x@${domain}`, `x@${domain}`, domains);
    return true;
  } catch {
    return false;
  }
}
const held = { code: 'conflict', details: { status: 'held' } };

describe('a domain of nobody', () => {
  it('is an owner’s once its TXT record names their workspace, and not before', async () => {
    const added = await add(a, bank);
    expect(added.verified).toBe(false);
    expect(added.records[0]).toEqual({ ...recordOf(a, bank), status: 'pending' });
    expect(await sends(a, bank)).toBe(false);
    expect(await verify(a, bank)).toMatchObject({ verified: false, complete: false });
    publish([w, bank]);
    const wrong = await verify(a, bank);
    expect(wrong.checks[0]).toMatchObject({
      purpose: 'ownership',
      status: 'wrong',
      problem: 'it names another workspace',
    });
    publish([a, bank]);
    expect(await verify(a, bank)).toMatchObject({ verified: true });
    expect(await sends(a, `deep.${bank}`)).toBe(true);
    const { entries } = await verbs.listAudit(operatorContext(), { workspaceId: a, limit: 5 });
    expect(entries[0]).toMatchObject({ action: 'domain.prove', subject: bank, outcome: 'done' });
  });

  it('is a workspace’s by the word of an operator of the whole deployment', async () => {
    expect((await verbs.addDomain(platform(a), { name: bank })).verified).toBe(true);
    expect(await sends(a, bank)).toBe(true);
  });

  it('is neither proved nor lost by a resolver that fails, nor lost with its record', async () => {
    await add(a, bank);
    const silent = '127.0.0.1:9';
    const failed = await verbs.verifyDomain(ownerOf(a), { name: bank, resolver: silent });
    expect([failed.verified, failed.checks[0]?.status]).toEqual([false, 'unknown']);
    publish([a, bank]);
    await verify(a, bank);
    expect((await verbs.verifyDomain(ownerOf(a), { name: bank, resolver: silent })).verified).toBe(true);
    dns.publish({});
    expect((await verify(a, bank)).verified).toBe(true);
  }, 60_000);

  it('shows little of what a hostile DNS answers, and takes none of it for a proof', async () => {
    await add(a, bank);
    const { value } = recordOf(a, bank);
    const TXT = [`${value} `, value.toUpperCase(), `mailroom-workspace=\u001b[31m<b>${'x'.repeat(150)}`, 'v=spf1 -all'];
    dns.publish({ [`_mailroom.${bank}`]: { TXT } });
    const { verified, checks } = await verify(a, bank);
    expect(verified).toBe(false);
    for (const found of checks[0]?.found ?? []) expect(found).toMatch(/^mailroom-workspace=[!-~]{0,81}$/);
  });
});

describe('a domain of a workspace', () => {
  beforeEach(async () => {
    publish([a, bank]);
    await add(a, bank);
    await verify(a, bank);
  });

  it('is refused to another workspace, whatever the claim and whoever makes it', async () => {
    publish([w, bank]);
    await expect(add(w, bank)).rejects.toMatchObject(held);
    await expect(add(w, bank.toUpperCase())).rejects.toMatchObject(held);
    await expect(verbs.addDomain(platform(w), { name: bank })).rejects.toMatchObject(held);
    await verbs.store.putDomain(w, bank, null, new Date());
    expect((await verify(w, bank)).verified).toBe(false);
    expect([await sends(a, bank), await sends(w, bank)]).toEqual([true, false]);
  });

  it('includes its subdomains, until one names another workspace itself', async () => {
    const sub = `mail.${bank}`;
    const added = await add(w, sub);
    expect(added).toMatchObject({ verified: false, records: [recordOf(w, sub)] });
    expect(await isAtSes(sub)).toBe(false);
    expect((await verbs.getDomain({ ...ownerOf(w) } as never, { id: sub })).records).toMatchObject([
      { purpose: 'ownership', status: 'pending' },
    ]);
    expect(await sends(w, sub)).toBe(false);
    await expect(verbs.addDomain(platform(w), { name: `x.${bank}` })).rejects.toMatchObject(held);
    publish([a, bank], [w, sub]);
    expect((await verify(w, sub)).verified).toBe(true);
    expect([await sends(w, sub), await sends(w, bank), await sends(a, sub), await sends(a, `x.${sub}`)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([await sends(a, bank), await sends(a, `x.${bank}`)]).toEqual([true, true]);
    await verbs.removeDomain(ownerOf(w), { name: sub });
    expect([await sends(w, sub), await sends(a, sub)]).toEqual([false, true]);
  });

  it('takes its own subdomains along when it is released', async () => {
    const sub = `mail.${bank}`;
    expect((await add(a, sub)).verified).toBe(true);
    await verbs.removeDomain(ownerOf(a), { name: bank });
    expect([await sends(a, bank), await sends(a, sub)]).toEqual([false, false]);
    publish([w, bank]);
    await add(w, bank);
    expect((await verify(w, bank)).verified).toBe(true);
    expect([await sends(w, sub), await sends(a, sub)]).toEqual([true, false]);
  });

  it('is another’s after it was removed only when that one proves it', async () => {
    await verbs.removeDomain(ownerOf(a), { name: bank });
    expect(await isAtSes(bank)).toBe(false);
    expect((await add(w, bank)).verified).toBe(false);
    expect((await verify(w, bank)).verified).toBe(false);
    publish([w, bank]);
    expect((await verify(w, bank)).verified).toBe(true);
  });

  it('goes to another at once by the decision of an operator of the whole deployment, and of no other', async () => {
    await expect(verbs.assignDomain(ownerOf(w), { name: bank })).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect((await verbs.assignDomain(platform(w), { name: bank })).verified).toBe(true);
    expect([await sends(a, bank), await sends(w, bank)]).toEqual([false, true]);
    expect((await verify(a, bank)).verified).toBe(false);
  });

  it('is claimed by one of many who prove it at once', async () => {
    const domain = `race.${bank.replace('bank', 'other')}`;
    await Promise.all([add(a, domain), add(w, domain)]);
    dns.publish({ [`_mailroom.${domain}`]: { TXT: [recordOf(a, domain).value, recordOf(w, domain).value] } });
    await Promise.allSettled([verify(a, domain), verify(w, domain), verify(a, domain), verify(w, domain)]);
    expect([await sends(a, domain), await sends(w, domain)].filter(Boolean).length).toBe(1);
  });

  it('is free again when its workspace is being deleted', async () => {
    await verbs.deleteWorkspace(platform(a), { name: 'Test' });
    publish([w, bank]);
    await add(w, bank);
    expect((await verify(w, bank)).verified).toBe(true);
  });
});

describe('SES', () => {
  it('keeps a domain that was there before, and one by which a subdomain sends', async () => {
    await verbs.ses.ensureDomainIdentity(bank);
    await verbs.addDomain(platform(a), { name: bank });
    await verbs.removeDomain(platform(a), { name: bank });
    expect(await isAtSes(bank)).toBe(true);

    const own = `own.${bank}`;
    await verbs.addDomain(platform(a), { name: own });
    await add(w, `mail.${own}`);
    publish([w, `mail.${own}`]);
    await verify(w, `mail.${own}`);
    await verbs.removeDomain(platform(a), { name: own });
    expect(await isAtSes(own)).toBe(true);
  });
});

describe('a domain from before domains were held', () => {
  it('stays its only workspace’s, and is no other’s', async () => {
    await legacy(a, bank);
    expect(await verbs.listDomains(platform(a))).toMatchObject([{ domain: bank, verified: true, grandfathered: true }]);
    publish([w, bank]);
    await expect(add(w, bank)).rejects.toMatchObject(held);
    await setVerified(bank, false);
    expect((await verify(a, bank)).verified).toBe(false);
    await expect(add(w, bank)).rejects.toMatchObject(held);
    await setVerified(bank, true);
    expect((await verify(a, bank)).verified).toBe(true);
  });

  it('that several have stays theirs until an operator of the whole deployment decides', async () => {
    await Promise.all([legacy(a, bank), legacy(w, bank)]);
    expect(await verbs.listDomainConflicts(operatorContext())).toContainEqual({
      object: 'domain_conflict',
      domain: bank,
      workspaces: expect.arrayContaining([
        { id: a, name: 'Test', domain: bank },
        { id: w, name: 'Test', domain: bank },
      ]),
    });
    for (const id of [a, w]) {
      await setVerified(bank, false);
      await verify(id, bank);
      await setVerified(bank, true);
      expect((await verify(id, bank)).verified).toBe(true);
    }
    expect([await sends(a, bank), await sends(w, bank)]).toEqual([true, true]);
    await verbs.assignDomain(platform(w), { name: bank });
    expect([await sends(a, bank), await sends(w, bank)]).toEqual([false, true]);
    const left = await verbs.listDomainConflicts(operatorContext());
    expect(left.filter(({ domain }) => domain === bank)).toEqual([]);
  });

  it('is listed when it lies inside another’s, and changes nothing', async () => {
    const sub = `mail.${bank}`;
    await Promise.all([legacy(a, bank), legacy(w, sub)]);
    expect((await verbs.listDomainConflicts(operatorContext())).map(({ domain }) => domain)).toContain(sub);
    expect([await sends(a, sub), await sends(w, sub)]).toEqual([true, true]);
  });
});
