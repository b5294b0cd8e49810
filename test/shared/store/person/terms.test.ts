import { newSubscriber, type Person, type Subscriber, withValues } from '../../../../shared/domain/person/person.ts';
import { storedItems } from '../tableItems.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [people, items] = await Promise.all([
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/personRecord.ts'),
  ]);
  return { ...people, ...items };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const at = new Date('2026-11-22T10:00:00Z');
let people = 0;

/** A person of whose terms nearly all begin another term. */
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

/** The term items of an address that the table holds. */
async function storedTerms(email: string) {
  const items = (await storedItems()).filter((item) => item.pk?.S?.includes('#TERM#') && item.email?.S === email);
  return items.map(({ sk, shared }) => ({ sk: sk?.S, shared: Number(shared?.N) })).sort(bySk);
}
const bySk = (a: { sk: unknown }, b: { sk: unknown }) => (String(a.sk) < String(b.sk) ? -1 : 1);
const expectedTerms = (person: Person) =>
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
  it.each(changes)('follow the person when %s', async (_what, change) => {
    const person = ada();
    await modules.savePerson(modules.nobody('ws_1', person.email), { ...person, version: 0 }, []);
    expect(await storedTerms(person.email)).toEqual(expectedTerms(person));
    const after = change(person);
    expect(await modules.savePerson(person, after, [])).toBe(true);
    expect(await storedTerms(person.email)).toEqual(expectedTerms(after));
  });

  it('are not written again while none of them changes', async () => {
    const person = ada();
    expect(await modules.partsOf(person, changed(person, { tags: ['vip'] }), [])).toHaveLength(1);
  });

  it('are four and not six when the address contains the names: thirteen units and not seventeen', async () => {
    const person = ada();
    const parts = await modules.partsOf(modules.nobody('ws_1', person.email), person, []);
    expect(parts).toHaveLength(5);
  });
});
