import { storedItems } from '../../store/tableItems.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

const load = async () => ({
  ...(await import('../../../../shared/domain/person/consent.ts')),
  ...(await import('../../../../shared/platform/config.ts')),
  ...(await import('../../../../shared/services/people.ts')),
  ...(await import('../../../../shared/services/subscribers/saveSubscriber.ts')),
  ...(await import('../../../../shared/services/sweep/expireSignUps.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/person/links.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/person/subscriberLists.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
});

const begin = new Date();
const days = (count: number) => new Date(begin.getTime() + count * 86_400_000);

beforeAll(async () => {
  engines = await startQueuesAndTable();
  Object.assign(process.env, {
    CONFIRMATION_QUEUE_URL: engines.queues.confirmation?.url ?? '',
    WEBHOOK_DELIVERY_QUEUE_URL: engines.queues['webhook-delivery']?.url ?? '',
  });
  verbs = await load();
  workspaceId = await workspace();
});
afterAll(() => engines.stop());

async function workspace(): Promise<string> {
  const { id } = await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  await verbs.putDomain(id, 'example.com', begin, begin);
  await verbs.putSenders(id, [{ email: 'hello@example.com', name: null, default: true }], begin);
  return id;
}

async function signUp(name: string, at = begin, own = workspaceId): Promise<string> {
  const email = `${name}@people.example`;
  const save = {
    workspaceId: own,
    email,
    values: { firstName: 'Ada', lastName: 'Lovelace' },
    doubleOptIn: true,
  } as const;
  await verbs.saveSubscriber({ ...save, via: 'api', claim: { how: 'api', by: 'key_1' } }, at);
  return email;
}

const personOf = async (email: string, own = workspaceId) => (await verbs.getAddress(own, email)).person;

/** Notes that the confirmation went out, with its link. */
async function sent(email: string, at: Date): Promise<void> {
  const { confirmation } = await personOf(email);
  if (!confirmation) throw new Error('There is no request.');
  const { id, round } = confirmation;
  await verbs.putConfirmLink({
    workspaceId,
    confirmationId: id,
    email,
    validUntil: new Date(at.getTime() + 7 * 86_400_000),
  });
  await verbs.changePerson({ workspaceId, email }, 'form', at, ({ person }) => ({
    person: verbs.markConfirmationSent(person, id, round, at),
    result: undefined,
  }));
}

it('deletes what nobody confirmed in 30 days, with its terms and its link, and nothing else', async () => {
  const [gone, confirmed, asked, late] = await Promise.all([
    signUp('gone'),
    signUp('confirmed'),
    signUp('asked'),
    signUp('late', days(2)),
  ]);
  for (const email of [gone, confirmed]) await sent(email, begin);
  const { confirmation } = await personOf(confirmed);
  await verbs.changePerson({ workspaceId, email: confirmed }, 'link', days(1), ({ person }) => ({
    person: verbs.confirm(person, confirmation?.id, days(1))[1],
    result: undefined,
  }));
  await sent(asked, days(28));
  const other = await workspace();
  const elsewhere = await signUp('elsewhere', begin, other);
  await verbs.changePerson({ workspaceId: other, email: elsewhere }, 'form', begin, ({ person }) => ({
    person: verbs.dropConfirmation(person),
    result: undefined,
  }));

  await verbs.sweepExpiredSignUps(days(29));
  expect((await personOf(gone)).subscriber?.status).toBe('pending');
  await verbs.sweepExpiredSignUps(days(31));
  expect(await personOf(gone)).toMatchObject({ version: 0, subscriber: null, confirmation: null });
  expect(JSON.stringify(await storedItems())).not.toContain(gone);
  expect((await personOf(elsewhere, other)).subscriber).toBeNull();
  expect((await personOf(confirmed)).subscriber?.status).toBe('subscribed');
  for (const email of [asked, late]) expect((await personOf(email)).subscriber?.status).toBe('pending');
  const pending = await verbs.pageOfSubscribers(workspaceId, { limit: 10, status: 'pending' });
  expect(pending.entries.map(({ person }) => person.email).sort()).toEqual([asked, late]);
  const found = await verbs.searchSubscribers(workspaceId, 'lovelace', { limit: 10 });
  expect(found.entries.map(({ person }) => person.email).sort()).toEqual([asked, confirmed, late]);

  await verbs.sweepExpiredSignUps(days(59));
  expect((await personOf(asked)).subscriber).toBeNull();
  // Who comes back begins anew.
  await signUp('gone', days(60));
  expect((await personOf(gone)).subscriber).toMatchObject({ status: 'pending', createdAt: days(60).toISOString() });
});

it('deletes more than a page of them, and none when the setting is 0', async () => {
  const own = await workspace();
  const names = Array.from({ length: 120 }, (_, index) => `many${index}`);
  for (let start = 0; start < names.length; start += 20) {
    const emails = await Promise.all(names.slice(start, start + 20).map((name) => signUp(name, begin, own)));
    const drop = (email: string) =>
      verbs.changePerson({ workspaceId: own, email }, 'form', begin, ({ person }) => ({
        person: verbs.dropConfirmation(person),
        result: undefined,
      }));
    await Promise.all(emails.map(drop));
  }
  const left = async () => (await verbs.pageOfSubscribers(own, { limit: 200, status: 'pending' })).entries.length;
  verbs.takeSettings({ UNCONFIRMED_DAYS: '0' });
  await verbs.sweepExpiredSignUps(days(400));
  expect(await left()).toBe(120);
  verbs.takeSettings({});
  await verbs.sweepExpiredSignUps(days(40));
  expect(await left()).toBe(0);
});
