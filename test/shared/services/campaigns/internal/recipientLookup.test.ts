import type { PersonRecord } from '../../../../../shared/store/person/personRecord.ts';
import { startTestTable } from '../../../store/testTable.ts';

let stop: () => Promise<void>;
let modules: Awaited<ReturnType<typeof load>>;
const workspaceId = 'ws_1';
const campaign = { workspaceId, id: 'camp_1' };
const now = new Date('2026-11-21T12:00:00.000Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const positions = Array.from({ length: 50 }, (_, position) => position);
const emails = Array.from({ length: 120 }, (_, index) => `person${index}@example.net`);

async function load() {
  const [people, items, batches, keys, suppression, workspaces] = await Promise.all([
    import('../../../../../shared/services/campaigns/internal/recipientLookup.ts'),
    import('../../../../../shared/store/person/personRecord.ts'),
    import('../../../../../shared/store/table/batches.ts'),
    import('../../../../../shared/store/table/keys.ts'),
    import('../../../../../shared/store/suppression/platformSuppression.ts'),
    import('../../../../../shared/store/workspace/workspaces.ts'),
  ]);
  const values = await import('../../../../../shared/domain/person/person.ts');
  return { ...people, ...items, ...batches, ...keys, ...suppression, ...workspaces, ...values };
}

beforeAll(async () => {
  ({ stop } = await startTestTable());
  modules = await load();
  const [plan, language] = ['free', 'en'] as const;
  await modules.putWorkspace({ id: workspaceId, publicId: 'p', name: 'Test', plan, language, createdAt: '' });
});
afterAll(() => stop());

const itemOf = (email: string, status: 'subscribed' | 'unsubscribed', leftTags: string[] = []) => {
  const { addressItemKey, recordOf, nobody, newSubscriber, noPreferences } = modules;
  const record = recordOf({
    ...nobody(workspaceId, email),
    version: 1,
    subscriber: { ...newSubscriber('subscribed', now), status },
    preferences: { ...noPreferences, leftTags },
  });
  return { ...addressItemKey(workspaceId, email), ...record };
};

beforeEach(async () => {
  for (let start = 0; start < emails.length; start += 25) {
    await modules.putItems<PersonRecord>(emails.slice(start, start + 25).map((email) => itemOf(email, 'subscribed')));
  }
});

describe('the people of a chunk', () => {
  it('are skipped with the reason when they unsubscribed a moment ago', async () => {
    const people = new modules.RecipientLookup(campaign, emails);
    await people.lookUp(0, positions, now);
    await modules.putItems<PersonRecord>([itemOf('person51@example.net', 'unsubscribed')]);
    const { recipients } = await people.lookUp(1, [0, 1], now);
    const [first, second] = recipients;
    expect(first).toMatchObject({ kind: 'person', position: 0, person: { email: 'person50@example.net' } });
    expect(second).toEqual({ kind: 'skipped', position: 1, reason: 'unsubscribed' });
  });

  it('are skipped when they left the topic a moment ago, while the workspace offers it', async () => {
    const tag = 'category:news';
    const people = new modules.RecipientLookup({ ...campaign, tag }, emails);
    await modules.putItems<PersonRecord>([itemOf('person4@example.net', 'subscribed', [tag, 'category:other'])]);
    const skipped = async (of = people) =>
      (await of.lookUp(0, positions, now)).recipients.filter(({ kind }) => kind === 'skipped');
    expect(await skipped()).toEqual([]);
    await modules.updateSettings(workspaceId, { kinds: [{ tag, name: 'News' }] });
    expect(await skipped()).toEqual([{ kind: 'skipped', position: 4, reason: 'left_kind' }]);
    expect(await skipped(new modules.RecipientLookup(campaign, emails))).toEqual([]);
    expect(await skipped(new modules.RecipientLookup({ ...campaign, tag: 'category:else' }, emails))).toEqual([]);
    await modules.updateSettings(workspaceId, { kinds: [] });
  });

  it('are skipped when the platform suppressed them, two seconds later at the latest', async () => {
    const people = new modules.RecipientLookup(campaign, emails);
    await modules.putPlatformSuppression('person3@example.net', 'complaint', now);
    const { recipients } = await people.lookUp(0, positions, now);
    expect(recipients.filter(({ kind }) => kind === 'skipped')).toEqual([
      { kind: 'skipped', position: 3, reason: 'suppressed' },
    ]);
    await modules.putPlatformSuppression('person52@example.net', 'bounce', now);
    expect((await people.lookUp(1, positions, later(2000))).recipients[2]).toEqual({
      kind: 'skipped',
      position: 2,
      reason: 'suppressed',
    });
  });

  it('come with the current state of their workspace', async () => {
    const people = new modules.RecipientLookup(campaign, emails);
    expect(await people.lookUp(0, positions, now)).toMatchObject({ isSuspended: false, campaign: null });
    await modules.suspend(workspaceId, { since: now.toISOString(), bounceRate: 0.1, complaintRate: 0 });
    expect(await people.lookUp(0, positions, now)).toMatchObject({ isSuspended: true });
  });

  it('are those of the slice, also of the last, incomplete one', async () => {
    const people = new modules.RecipientLookup(campaign, emails);
    await people.lookUp(1, positions, now);
    const { recipients } = await people.lookUp(2, [0, 19], now);
    expect(recipients.map((one) => one.kind === 'person' && one.person.email)).toEqual([
      'person100@example.net',
      'person119@example.net',
    ]);
  });
});
