import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalAddress } from '../../../shared/domain/address.ts';
import { personContext } from '../../shared/services/context.ts';
import { auditPeople } from '../audit.ts';
import { call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

const file = join(import.meta.dirname, '../../fixtures/addresses/isemail.json');
const { cases }: { cases: [string, string][] } = JSON.parse(readFileSync(file, 'utf8'));
const addresses = [...new Set(cases.map(([address]) => address))];
const valid = addresses.filter((address) => canonicalAddress(address) !== null);
const invalid = addresses.filter((address) => canonicalAddress(address) === null);

let service: TestService;
let workspace: TestWorkspace;
const at = () => ({ ...service, apiKey: workspace.apiKey });
const path = (email: string) => `/api/v1/subscribers/${encodeURIComponent(email)}`;
const add = (body: object) => call(at(), 'POST', '/api/v1/subscribers', { body });

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

describe('the is_email corpus', () => {
  it('has valid and invalid addresses', () => {
    expect(Math.min(valid.length, invalid.length)).toBeGreaterThan(20);
  });

  it('valid addresses can be added, confirmed, found, written to, unsubscribed, subscribed again and suppressed', async () => {
    Object.assign(process.env, service.environment);
    const { confirmSubscriber, unsubscribeByLink, askForConsent, createLinkToken, getAddress } = await inside();
    const { workspaceId } = workspace;
    for (const address of new Map(valid.map((each) => [canonicalAddress(each) ?? '', each])).values()) {
      const email = canonicalAddress(address) ?? '';
      const confirm = async () => {
        const confirmationId = (await getAddress(workspaceId, email)).person.confirmation?.id;
        const token = await createLinkToken('confirm', { workspaceId, email, confirmationId }, new Date());
        return (await confirmSubscriber(personContext(), { token })).outcome;
      };
      const added = await add({ email: address, firstName: 'Ada' });
      expect([address, added.status, added.body.email]).toEqual([address, 201, email]);
      expect(await confirm()).toBe('confirmed');
      expect((await call(at(), 'GET', path(address))).body).toMatchObject({ email, status: 'subscribed' });
      const q = encodeURIComponent(email);
      const found = await call(at(), 'GET', `/api/v1/subscribers?q=${q}&status=subscribed`);
      expect(found.body.data.map((each: { email: string }) => each.email)).toContain(email);
      const leave = await createLinkToken('unsubscribe', { workspaceId, email }, new Date());
      expect((await unsubscribeByLink(personContext(), { token: leave })).outcome).toBe('unsubscribed');
      expect((await add({ email: address, double_opt_in: false })).body.error.details).toEqual({
        status: 'unsubscribed',
      });
      await askForConsent({ workspaceId, email, firstName: null, lastName: null }, new Date());
      expect(await confirm()).toBe('confirmed');
      const body = { email: address, reason: 'complaint' };
      expect((await call(at(), 'POST', '/api/v1/suppression', { body })).body).toMatchObject({ email });
      expect((await call(at(), 'GET', path(address))).body.status).toBe('unsubscribed');
      expect((await call(at(), 'DELETE', path(address))).status).toBe(200);
      expect([email, (await inbox(service, email)).length > 0]).toEqual([email, true]);
    }
    expect((await auditPeople(service)).problems).toEqual([]);
  });

  it('invalid addresses are refused everywhere, and nothing is stored', async () => {
    const before = (await auditPeople(service)).people;
    for (const address of invalid) {
      const added = await add({ email: address, double_opt_in: false });
      expect([address, added.status, added.body.name]).toEqual([address, 422, 'validation_error']);
      const blocked = await call(at(), 'POST', '/api/v1/suppression', { body: { email: address } });
      expect([address, blocked.status]).toEqual([address, 422]);
      if (!address.isWellFormed() || address === '') continue;
      expect([address, (await call(at(), 'GET', path(address))).status]).toEqual([address, 404]);
    }
    expect((await auditPeople(service)).people).toBe(before);
  });
});

async function inside() {
  const [confirm, unsubscribe, signUp, links, people] = await Promise.all([
    import('../../../shared/services/confirmations/confirmByLink.ts'),
    import('../../../shared/services/preferences/unsubscribe.ts'),
    import('../../../shared/services/confirmations/askForConsent.ts'),
    import('../../../shared/services/links.ts'),
    import('../../../shared/store/person/people.ts'),
  ]);
  return { ...confirm, ...unsubscribe, ...signUp, ...links, ...people };
}
