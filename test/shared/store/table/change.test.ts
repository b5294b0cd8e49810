import type { Item } from '../../../../shared/store/table/table.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [change, documents, commands] = await Promise.all([
    import('../../../../shared/store/table/change.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/dynamodb/commands.ts'),
  ]);
  return { ...change, ...documents, ...commands };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

let count = 0;

/** An item of its own, as it was written. */
async function written(attributes: object) {
  count += 1;
  const key = { pk: `ITEM#${count}`, sk: 'ITEM' };
  await modules.documents.send(new modules.PutCommand({ TableName: 'test', Item: { ...key, ...attributes } }));
  return key;
}

const stored = async (Key: object) =>
  (await modules.documents.send(new modules.GetCommand({ TableName: 'test', Key, ConsistentRead: true }))).Item;

describe('a change of an item', () => {
  it('sets, removes, adds and appends at once, and answers the item as it then stands', async () => {
    const key = await written({ status: 'open', gone: 1, count: 2, log: ['a'] });
    const change = {
      set: { status: 'done' },
      remove: ['gone'],
      add: { count: 3, others: -1 },
      append: { log: ['b', 'c'], notes: ['d'], none: [] },
    };
    const changed = { ...key, status: 'done', count: 5, others: -1, log: ['a', 'b', 'c'], notes: ['d'] };
    expect(await modules.changeItem<Item>(key, change)).toEqual(changed);
    expect(await stored(key)).toEqual(changed);
  });

  it('brings none into being that is not there', async () => {
    const key = { pk: 'ITEM#none', sk: 'ITEM' };
    expect(await modules.changeItem<Item>(key, { set: { status: 'open' } })).toBeNull();
    expect(await modules.changeItem<Item>(key, { add: { count: 1 }, expectNot: { status: 'done' } })).toBeNull();
    expect(await stored(key)).toBeUndefined();
  });

  it.each([
    ['what is expected has another value', { expect: { status: 'done' } }],
    ['what is expected is absent', { expect: { other: 'open' } }],
    ['what must be absent is there', { expect: { status: undefined } }],
    ['what must not stand stands', { expectNot: { status: 'open' } }],
    ['one of two does not hold', { expect: { count: 2 }, expectNot: { status: 'open' } }],
  ])('is not made when %s', async (_why, condition) => {
    const attributes = { status: 'open', count: 2 };
    const key = await written(attributes);
    expect(await modules.changeItem<Item>(key, { set: { status: 'changed' }, ...condition })).toBeNull();
    expect(await stored(key)).toEqual({ ...key, ...attributes });
  });

  it('is made when what must not stand is absent, or stands otherwise', async () => {
    const key = await written({ status: 'open' });
    const expectNot = { status: 'done', other: 1 };
    expect(await modules.changeItem<Item>(key, { set: { status: 'changed' }, expectNot })).toMatchObject({
      status: 'changed',
    });
  });
});
