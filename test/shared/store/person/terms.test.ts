import type { Person, Subscriber } from '../../../../shared/domain/person/subscriber.ts';
import { newSubscriber, withValues } from '../../../../shared/domain/person/subscriberValues.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [people, items, parts, batch] = await Promise.all([
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/personItem.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/table/batchWrite.ts'),
  ]);
  return { ...people, ...items, ...parts, ...batch };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const at = new Date('2026-11-22T10:00:00Z');
let people = 0;

/** Somebody of whom nearly every term begins another. */
function ada(): Person {
  people += 1;
  const own = newSubscriber('subscribed', at);
  const subscriber = withValues(own, { firstName: 'Ada', lastName: 'Lovelace' }, at);
  return { ...modules.nobody('ws_1', `ada.lovelace@mail${people}.example`), version: 1, subscriber };
}

const changed = (person: Person, values: Partial<Subscriber>): Person => ({
  ...person,
  subscriber: person.subscriber && { ...person.subscriber, ...values },
});

/** Every item that may be a term of theirs, at any time of this test. */
async function termsOf(email: string, everSo: readonly Person[]) {
  const keys = new Map(everSo.flatMap(modules.formerTermItemsOf).map(({ pk, sk }) => [`${pk} ${sk}`, { pk, sk }]));
  const items = await modules.batchGet([...keys.values()], { consistent: true });
  return items.filter((item) => item.email === email).map(({ sk, shared }) => ({ sk, shared }));
}
const bySk = (a: { sk: unknown }, b: { sk: unknown }) => (String(a.sk) < String(b.sk) ? -1 : 1);
const asKept = (person: Person) =>
  modules
    .termItemsOf(person)
    .map(({ sk, shared }) => ({ sk, shared }))
    .sort(bySk);

describe('search terms beside a person', () => {
  const changes: [string, (person: Person) => Person][] = [
    ['a name that begins the address becomes another such', (person) => changed(person, { firstName: 'Ad' })],
    ['a name that begins the address becomes one that does not', (person) => changed(person, { firstName: 'Grace' })],
    ['a name that begins a word of the address goes', (person) => changed(person, { lastName: null })],
    ['they leave', (person) => changed(person, { status: 'unsubscribed' })],
    ['they are deleted', (person) => ({ ...person, subscriber: null })],
  ];
  it.each(changes)('are as this release keeps them, whichever wrote them, when %s', async (_what, change) => {
    for (const itemsOf of [modules.termItemsOf, modules.formerTermItemsOf]) {
      const person = ada();
      const items = [modules.itemOf(person), ...itemsOf(person)];
      await modules.batchWrite(items.map((Item) => ({ PutRequest: { Item } })));
      const after = change(person);
      expect(await modules.savePerson(person, after, [])).toBe(true);
      expect((await termsOf(person.email, [person, after])).sort(bySk)).toEqual(asKept(after));
    }
  });

  it('stay where they are while nothing moves, and leave nothing behind later', async () => {
    const person = ada();
    const before = modules.formerTermItemsOf(person);
    await modules.batchWrite([modules.itemOf(person), ...before].map((Item) => ({ PutRequest: { Item } })));
    const tagged = changed(person, { tags: ['vip'] });
    expect(await modules.partsOf(person, tagged, [])).toHaveLength(1);
    await modules.savePerson(person, tagged, []);
    expect(await termsOf(person.email, [person])).toHaveLength(before.length);
    await modules.savePerson({ ...tagged, version: 2 }, { ...tagged, version: 2, subscriber: null }, []);
    expect(await termsOf(person.email, [person])).toEqual([]);
  });

  it('are four and not six of somebody whose address holds their names: thirteen units and not seventeen', async () => {
    const person = ada();
    const parts = await modules.partsOf(modules.nobody('ws_1', person.email), person, []);
    expect(parts).toHaveLength(5);
  });
});
