import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { newSubscriber, withValues } from '../../../../shared/domain/person/person.ts';
import { aroundCalls } from '../aroundCalls.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;
let transactions = 0;
let underWay = 0;
let maxUnderWay = 0;
/** Whether another writer is at something that a transaction writes. */
let isContended = (_input: string): boolean => false;

const contended = () =>
  new TransactionCanceledException({
    ...{ message: 'Refused for a test.', $metadata: {} },
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });

async function load() {
  const [config, together, people, items, batches, keys, table] = await Promise.all([
    import('../../../../shared/platform/config.ts'),
    import('../../../../shared/store/person/saveTogether.ts'),
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/personRecord.ts'),
    import('../../../../shared/store/table/batches.ts'),
    import('../../../../shared/store/table/keys.ts'),
    import('../../../../shared/store/table/table.ts'),
  ]);
  config.takeSettings({ TRANSACTIONS_AT_ONCE: '2' });
  return { ...together, ...people, ...items, ...batches, ...keys, ...table };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
  aroundCalls(modules.documents, (next) => (command) => {
    if (command.operation !== 'TransactWriteItems') return next(command);
    if (isContended(JSON.stringify(command.input))) throw contended();
    transactions += 1;
    underWay += 1;
    maxUnderWay = Math.max(maxUnderWay, underWay);
    return next(command).finally(() => {
      underWay -= 1;
    });
  });
});
afterAll(() => table.stop());
beforeEach(() => {
  transactions = 0;
  maxUnderWay = 0;
  isContended = () => false;
});

const at = new Date('2026-11-21T10:00:00Z');
const nobody = (email: string) => modules.nobody('ws_1', email);
const subscribed = (email: string) => ({
  ...nobody(email),
  subscriber: withValues(newSubscriber('subscribed', at), { firstName: 'Ada', lastName: 'Lovelace' }, at),
});
const saver = () => {
  const save = modules.savingTogether();
  return (email: string) => save(nobody(email), subscribed(email), []);
};
const emailsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}.${index}@example.net`);

async function itemsOf(email: string) {
  const person = { ...subscribed(email), version: 1 };
  const keys = [modules.addressItemKey(person.workspaceId, email), ...modules.termItemsOf(person)].map(
    ({ pk, sk }) => ({
      pk: String(pk),
      sk: String(sk),
    }),
  );
  return { found: (await modules.batchGet(keys, { consistent: true })).length, wanted: keys.length };
}

describe('people who are saved at the same moment', () => {
  it('are saved one by one while another import saves the same ones together', async () => {
    const emails = emailsOf('both', 12);
    isContended = (input) => emails.filter((email) => input.includes(email)).length > 1;
    const save = saver();
    expect(await Promise.all(emails.map(save))).toEqual(emails.map(() => true));
    for (const email of emails) expect(await itemsOf(email)).toMatchObject({ found: (await itemsOf(email)).wanted });
  });

  it('share transactions, and each has all of their items', async () => {
    const emails = emailsOf('many', 40);
    expect(await Promise.all(emails.map(saver()))).toEqual(emails.map(() => true));
    expect(transactions).toBeLessThanOrEqual(5);
    for (const email of emails) {
      const { found, wanted } = await itemsOf(email);
      expect(found).toBe(wanted);
    }
  });

  it('do not depend on one of them who has changed since', async () => {
    const emails = emailsOf('other', 6);
    const [taken = ''] = emails.splice(3, 1);
    await modules.savePerson(nobody(taken), { ...subscribed(taken), subscriber: newSubscriber('pending', at) }, []);
    const saved = await Promise.all([...emails, taken].map(saver()));
    expect(saved).toEqual([true, true, true, true, true, false]);
    const people = await modules.getPeople('ws_1', [...emails, taken]);
    expect(people.map(({ subscriber, version }) => [subscriber?.status, version])).toEqual([
      ...emails.map(() => ['subscribed', 1]),
      ['pending', 1],
    ]);
  });

  it('are saved in the next moment as well', async () => {
    const save = saver();
    expect(await save('first@example.net')).toBe(true);
    expect(await save('second@example.net')).toBe(true);
    expect(transactions).toBe(2);
  });

  it('wait for those before them, and fill the transactions that are left', async () => {
    const save = saver();
    const first = emailsOf('early', 100).map(save);
    // More come while the first are written, one at a time.
    const later: Promise<boolean>[] = [];
    for (const email of emailsOf('late', 60)) {
      await new Promise(setImmediate);
      later.push(save(email));
    }
    const saved = await Promise.all([...first, ...later]);
    expect(saved).toEqual(saved.map(() => true));
    expect(maxUnderWay).toBe(2);
    const partsOfOne = (await itemsOf('early.0@example.net')).wanted;
    const fewest = Math.ceil(saved.length / Math.floor(100 / partsOfOne));
    // How many come while others are written depends on the machine; alone they would be as many as people.
    expect(transactions).toBeLessThanOrEqual(2 * fewest);
  });
});
