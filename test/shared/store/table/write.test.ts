import type { Change, Condition } from '../../../../shared/store/table/expression.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [write, transaction, documents] = await Promise.all([
    import('../../../../shared/store/table/write.ts'),
    import('../../../../shared/store/table/transaction.ts'),
    import('../../../../shared/store/table/table.ts'),
  ]);
  return { ...write, ...transaction, ...documents };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

/** A record with attributes of every type, some of which are reserved words of DynamoDB's expressions. */
interface Order {
  readonly status?: string;
  readonly count?: number;
  readonly size?: number;
  readonly log?: readonly string[];
  readonly names?: ReadonlySet<string>;
  readonly held?: { readonly since: string; readonly 'a.b'?: number } | null;
  readonly [minute: `t${number}`]: number;
}
type StoredOrder = { -readonly [Name in keyof Order]: Order[Name] };

let made = 0;
const newKey = () => {
  made += 1;
  return { pk: `ORDER#${made}`, sk: 'ORDER' };
};
async function written(record: Order) {
  const key = newKey();
  await modules.putItem<Order>(key, record);
  return key;
}

describe('the names of attributes', () => {
  it('are checked by the compiler, as are their values', () => {
    const key = newKey();
    const { changePart, putPart, deletePart } = modules;
    const some: string = 'status';
    changePart<Order>(key, { set: { status: 'open', t12: 1 }, add: [[`t${12}`, 1]], if: [['t3', 'absent']] });
    // @ts-expect-error: no such attribute.
    changePart<Order>(key, { set: { statsu: 'open' } });
    // @ts-expect-error: not its type.
    changePart<Order>(key, { set: { status: 1 } });
    // @ts-expect-error: a name that is only known as some string.
    changePart<Order>(key, { set: { [some]: 'open' } });
    // @ts-expect-error: the same as a pair.
    changePart<Order>(key, { set: [[some, 'open']] });
    // @ts-expect-error: no such attribute.
    changePart<Order>(key, { remove: ['statsu'] });
    // @ts-expect-error: nothing can be added to a text.
    changePart<Order>(key, { add: { status: 'open' } });
    // @ts-expect-error: no such attribute.
    changePart<Order>(key, { expect: { statsu: 'open' } });
    // @ts-expect-error: no such attribute.
    changePart<Order>(key, { if: [['statsu', 'exists']] });
    // @ts-expect-error: no such attribute in one of several conditions.
    changePart<Order>(key, { if: [{ any: [['statsu', '=', 'open']] }] });
    // @ts-expect-error: not its type.
    changePart<Order>(key, { if: [['count', '<', 'open']] });
    // @ts-expect-error: no such attribute.
    putPart<Order>(key, { statsu: 'open' });
    // @ts-expect-error: no such attribute.
    deletePart<Order>(key, { if: [['statsu', 'exists']] });
    // @ts-expect-error: the type of the record is missing.
    changePart(key, { set: { status: 'open' } });
    // @ts-expect-error: the type of the record is missing.
    putPart(key, { status: 'open' });
    expect.assertions(0);
  });
});

describe('a change of an item', () => {
  it('sets, removes, adds and appends at once, and answers the item as it then is', async () => {
    const key = await written({ status: 'open', size: 1, count: 2, log: ['a'], names: new Set(['x']) });
    const changed = await modules.changeItem<Order>(key, {
      set: [{ status: 'done' }, ['t7', 7]],
      setIfAbsent: { count: 9, held: null },
      remove: ['size'],
      add: [{ t8: -1 }, ['names', new Set(['y'])]],
      append: { log: ['b', 'c'] },
    });
    const expected = { status: 'done', count: 2, log: ['a', 'b', 'c'], names: new Set(['x', 'y']) };
    expect(changed).toEqual({ ...key, ...expected, t7: 7, t8: -1, held: null });
    expect(await modules.getItem(key)).toEqual(changed);
  });

  it('creates none where there is none, unless it may', async () => {
    const key = newKey();
    expect(await modules.changeItem<Order>(key, { set: { status: 'open' } })).toBeNull();
    expect(await modules.getItem(key)).toBeNull();
    const created = {
      append: { log: ['a'] },
      add: { count: 3, names: new Set<string>() },
      takeOut: { names: new Set(['a']) },
    };
    expect(await modules.upsertItem<Order>(key, created)).toEqual({ ...key, log: ['a'], count: 3 });
  });

  it('takes members out of sets, and nothing when none are given', async () => {
    const key = await written({ names: new Set(['x', 'y']) });
    await modules.changeItem<Order>(key, { set: { count: 1 }, takeOut: { names: new Set<string>() } });
    expect(await modules.changeItem<Order>(key, { takeOut: { names: new Set(['x']) } })).toMatchObject({
      names: new Set(['y']),
    });
  });

  it('answers what was asked for, or the stored item when it is refused', async () => {
    const key = await written({ count: 2, status: 'open' });
    const change = { add: { count: 1 }, expect: { count: 2 } };
    const write = () => modules.upsertAnswering<Order>(key, change, 'UPDATED_OLD');
    expect(await write()).toMatchObject({ isMade: true, isInDoubt: false, item: { count: 2 } });
    const refused = { isMade: false, isInDoubt: false, item: { ...key, count: 3, status: 'open' } };
    expect(await write()).toMatchObject(refused);
  });
});

describe('a put and a deletion', () => {
  it('are made when their conditions hold', async () => {
    const key = await written({ count: 1 });
    expect(await modules.putItem<Order>(key, { count: 2 }, { if: [['pk', 'absent']] })).toBe(false);
    expect(await modules.putItem<Order>(key, { count: 2 }, { expect: { count: 1, status: undefined } })).toBe(true);
    expect(await modules.deleteItem<Order>(key, { expect: { count: 1 } })).toBe(false);
    expect(await modules.deleteItem<Order>(key, { if: [['count', '>=', 2]] })).toBe(true);
    expect(await modules.deleteItem(key)).toBe(false);
  });

  it('are parts of transactions like changes and checks', async () => {
    const [first, second, third] = [await written({ count: 1 }), newKey(), await written({ count: 3 })];
    const parts = (count: number) => [
      modules.deletePart<Order>(first, { expect: { count: 1 } }),
      modules.putPart<Order>(second, { count: 2 }),
      modules.checkPart<Order>(third, { expect: { count } }),
    ];
    expect((await modules.transact(parts(4)))?.map(({ Code }) => Code)).toEqual([
      'None',
      'None',
      'ConditionalCheckFailed',
    ]);
    expect(await modules.transact(parts(3))).toBeNull();
    expect([await modules.getItem(first), await modules.getItem(second)]).toEqual([null, { ...second, count: 2 }]);
  });
});

/** Numbers from a seed: the same at every run (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What a condition says of a record, by our own reading of DynamoDB's rules: an absent attribute compares with nothing. */
function holds(record: Order, condition: Condition<Order>): boolean {
  if ('any' in condition) return condition.any.some((one) => holds(record, one));
  if ('all' in condition) return condition.all.every((one) => holds(record, one));
  if ('not' in condition) return !holds(record, condition.not);
  const [operand, operator, first, last] = condition as readonly [string | readonly string[], string, never, never];
  const value = [operand]
    .flat()
    .reduce<unknown>((whole, name) => (whole as Record<string, unknown> | null | undefined)?.[name], {
      ...record,
      pk: 'ORDER',
    });
  if (operator === 'exists') return value !== undefined;
  if (operator === 'absent') return value === undefined;
  if (operator === 'is null') return value === null;
  if (operator === '<>') return value !== first;
  if (value === undefined || value === null) return operator === '=' && value === first;
  if (operator === 'contains') return (value as ReadonlySet<unknown>).has(first);
  if (operator === 'smaller than') return (value as ReadonlySet<unknown>).size < first;
  if (operator === 'between') return (value as number) >= first && (value as number) <= last;
  if (operator === '=') return value === first;
  if (operator === '<') return (value as number) < first;
  if (operator === '<=') return (value as number) <= first;
  return operator === '>' ? (value as number) > first : (value as number) >= first;
}

describe('conditions and changes', () => {
  const some = numbersFrom(20_261_121);
  const one = <Choice>(...choices: Choice[]): Choice => choices[some(choices.length)] as Choice;
  const word = () => one('a', 'b', 'c');
  const record = (): Order => ({
    ...(some(2) && { status: word() }),
    ...(some(2) && { count: some(4) }),
    ...(some(2) && { names: new Set([word(), word()]) }),
    ...(some(2) && { held: one(null, { since: word() }, { since: word(), 'a.b': 1 }) }),
    ...(some(2) && { t3: some(4) }),
    ...(some(2) && { log: [word()] }),
  });
  const condition = (depth: number): Condition<Order> => {
    if (depth > 0 && some(2)) {
      const parts = Array.from({ length: 1 + some(3) }, () => condition(depth - 1));
      return one<Condition<Order>>({ any: parts }, { all: parts }, { not: parts[0] as Condition<Order> });
    }
    return one<Condition<Order>>(
      [one('status', 'count', 'names', 'held', 'pk', 't3'), one('exists', 'absent')],
      ['held', 'is null'],
      [['held', 'since'], one('=', '<>', '<'), word()],
      [['held', 'a.b'], one('exists', 'absent')],
      ['status', one('=', '<>', '<', '<=', '>', '>='), word()],
      [one('count', 't3'), one('=', '<>', '<', '<=', '>', '>='), some(4)],
      ['count', 'between', some(2), 1 + some(3)],
      ['names', 'contains', word()],
      ['names', 'smaller than', 1 + some(2)],
    );
  };
  const change = (): Change<Order> => ({
    set: one({}, { status: word() }, [['t3', some(9)] as const, { held: null }]),
    setIfAbsent: one({}, { size: some(9) }),
    remove: one([], ['held' as const], []),
    add: one({}, { count: some(5) - 2 }, [['t5', 1] as const], { names: new Set([word()]) }),
    append: one({}, { log: [word()] }, { log: [] }),
  });

  /** What a change makes of a record, by our own reading. */
  function changed(before: Order, { set, setIfAbsent, remove = [], add, append }: Change<Order>): Order {
    const pairs = (values: unknown): [keyof Order, never][] =>
      [values ?? []]
        .flat()
        .flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part as object))) as never;
    const list = (values: unknown): [keyof Order, never][] =>
      Array.isArray(values)
        ? values.flatMap((part) => (Array.isArray(part) ? [part as never] : pairs(part)))
        : pairs(values);
    const after: StoredOrder = { ...before };
    for (const [name, value] of list(set)) after[name] = value;
    for (const [name, value] of list(setIfAbsent)) if (before[name] === undefined) after[name] = value;
    for (const [name, value] of list(append) as [keyof Order, readonly string[]][])
      if (value.length > 0) after[name] = [...((before[name] as never) ?? []), ...value] as never;
    for (const name of remove) delete after[name];
    for (const [name, value] of list(add) as [keyof Order, number | ReadonlySet<string>][])
      after[name] = (
        typeof value === 'number'
          ? Number(before[name] ?? 0) + value
          : new Set([...((before[name] as never) ?? []), ...value])
      ) as never;
    return after;
  }

  /** DynamoDB refuses two clauses about one attribute. */
  const names = (one: Change<Order>) =>
    [one.set, one.setIfAbsent, one.add, one.append]
      .flatMap((values) =>
        [values ?? []].flat().flatMap((part) => (Array.isArray(part) ? [part[0]] : Object.keys(part))),
      )
      .concat(one.remove ?? []);
  const isValid = (own: Change<Order>) => names(own).length > 0 && new Set(names(own)).size === names(own).length;

  it('mean to the engine what they say, 400 of them', async () => {
    for (let run = 0; run < 400; run += 1) {
      const before = record();
      const conditions = [condition(2), ...(some(2) ? [condition(1)] : [])];
      let own = change();
      while (!isValid(own)) own = change();
      const key = await written(before);
      const after = await modules.upsertItem<Order>(key, { ...own, if: conditions });
      const isExpected = conditions.every((each) => holds(before, each));
      const expected = isExpected ? { ...key, ...changed(before, own) } : null;
      expect({ conditions, own, before, after }).toEqual({ conditions, own, before, after: expected });
    }
  });
});
