import { newSubscriber } from '../../../../shared/domain/person/person.ts';
import type { PersonRecord } from '../../../../shared/store/person/personRecord.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [people, records, lists, write, keys] = await Promise.all([
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/personRecord.ts'),
    import('../../../../shared/store/person/subscriberLists.ts'),
    import('../../../../shared/store/table/write.ts'),
    import('../../../../shared/store/table/keys.ts'),
  ]);
  return { ...people, ...records, ...lists, ...write, ...keys };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const at = new Date('2026-11-22T10:00:00Z');

async function saved(email: string, status: 'subscribed' | 'pending') {
  const before = modules.nobody('ws_1', email);
  await modules.savePerson(before, { ...before, subscriber: newSubscriber(status, at) }, []);
}

/** What an index says for a moment after the item was changed. */
const stale = (email: string, change: Parameters<typeof modules.changeItem<PersonRecord>>[1]) =>
  modules.changeItem<PersonRecord>(modules.addressItemKey('ws_1', email), change);

describe('a page of subscribers', () => {
  it('leaves out those who have another status by now, or are no subscribers any more', async () => {
    await saved('ada@example.net', 'subscribed');
    await saved('bob@example.net', 'subscribed');
    await stale('bob@example.net', { set: { status: 'pending' } });
    await saved('eve@example.net', 'subscribed');
    await stale('eve@example.net', { remove: ['status'] });
    const emailsOf = async (status?: 'subscribed') =>
      (await modules.pageOfSubscribers('ws_1', { limit: 5, status })).entries.map(({ person }) => person.email).sort();
    expect(await emailsOf('subscribed')).toEqual(['ada@example.net']);
    expect(await emailsOf()).toEqual(['ada@example.net', 'bob@example.net']);
    const { entries } = await modules.searchSubscribers('ws_1', 'example', { limit: 5, status: 'subscribed' });
    expect(entries.map(({ person }) => person.email)).toEqual(['ada@example.net']);
  });
});
