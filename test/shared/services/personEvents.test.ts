import { noPreferences, type SubscriberStatus } from '../../../shared/domain/person/person.ts';
import { aroundCalls, aroundUnits } from '../store/aroundCalls.ts';
import { startTestTable } from '../store/testTable.ts';
import { contextOf } from './context.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/services/personEvents/recordEvents.ts')),
  ...(await import('../../../shared/services/personEvents/listEvents.ts')),
  ...(await import('../../../shared/store/person/people.ts')),
  ...(await import('../../../shared/store/person/personRecord.ts')),
  ...(await import('../../../shared/store/personEvents/personEventRecord.ts')),
  ...(await import('../../../shared/store/table/keys.ts')),
  ...(await import('../../../shared/store/table/table.ts')),
  ...(await import('../../../shared/store/table/write.ts')),
});

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

let workspaces = 0;
const ada = 'ada@example.net';

/** A workspace with these people. */
async function workspaceWith(people: Readonly<Record<string, SubscriberStatus>> = { [ada]: 'subscribed' }) {
  workspaces += 1;
  const workspaceId = `ws_${workspaces}`;
  for (const [email, status] of Object.entries(people)) {
    const at = '2026-11-20T00:00:00.000Z';
    const before = modules.nobody(workspaceId, email);
    const subscriber = {
      ...{ status, firstName: null, lastName: null, tags: [], fields: {} },
      ...{ createdAt: at, updatedAt: at, confirmedAt: null, unsubscribedAt: null },
    };
    await modules.savePerson(before, { ...before, subscriber, preferences: noPreferences }, []);
  }
  const context = contextOf(workspaceId);
  const record = (given: object) => modules.recordEvent(context, { name: 'visit', email: ada, ...given } as never);
  const batch = (entries: readonly object[], idempotencyKey?: string) =>
    modules.recordEvents(context, { entries: entries.map((value) => ({ value })), idempotencyKey } as never);
  const list = async (over: object = {}) =>
    modules.listEvents(context, { email: ada, limit: 50, name: undefined, after: undefined, ...over });
  const activity = async (name = 'visit', email = ada) => {
    const item = await modules.getItem(modules.activityKey(workspaceId, email, name));
    return item && modules.activityOf(item);
  };
  return { workspaceId, record, batch, list, activity };
}

describe('an event of a person', () => {
  it('is recorded with its data, and the sum of its name', async () => {
    const { record, list, activity } = await workspaceWith();
    const data = { amount: 1.1, constructor: 'x', list: [1, { deep: null }] };
    const first = await record({ data, timestamp: '2026-11-20T10:00:00+01:00' });
    const second = await record({});
    expect(first).toMatchObject({ recorded: true, replayed: false, timestamp: '2026-11-20T09:00:00.000Z' });
    const { entries } = await list();
    expect(entries.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(entries[1]).toEqual({ ...first, data });
    expect(await activity()).toMatchObject({ count: 2, first: first.timestamp, last: second.timestamp });
  });

  it.each(['pending', 'unsubscribed', 'bounced'] as const)('is recorded of a person who is %s', async (status) => {
    const { record } = await workspaceWith({ [ada]: status });
    expect(await record({})).toMatchObject({ recorded: true });
  });

  it('of an unknown address is nothing', async () => {
    const { record, list, activity } = await workspaceWith({});
    expect(await record({ external_id: 'a' })).toMatchObject({
      ...{ id: null, recorded: false, reason: 'unknown_subscriber', replayed: false, created_at: null },
    });
    expect([(await list()).entries, await activity()]).toEqual([[], null]);
  });

  it('with an external_id is recorded once for each person, whatever the rest says', async () => {
    const bob = 'bob@example.net';
    const { record, list, activity } = await workspaceWith({ [ada]: 'subscribed', [bob]: 'subscribed' });
    const first = await record({ external_id: 'order-1' });
    const again = await record({ external_id: 'order-1', name: 'other', data: { x: 1 } });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await record({ external_id: 'order-1', email: bob })).toMatchObject({ replayed: false });
    expect([(await list()).entries.length, (await activity())?.count]).toEqual([1, 1]);
  });

  it('with an external_id is recorded once by calls at the same time', async () => {
    const { record, list, activity } = await workspaceWith();
    const answers = await Promise.all(Array.from({ length: 8 }, () => record({ external_id: 'order-1' })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect([(await list()).entries.length, (await activity())?.count]).toEqual([1, 1]);
  });

  it('is counted by each of several calls at the same time', async () => {
    const { record, list, activity } = await workspaceWith();
    await Promise.all(Array.from({ length: 8 }, () => record({})));
    expect([(await list()).entries.length, (await activity())?.count]).toEqual([8, 8]);
  });

  it('that has expired, and is not deleted yet, counts no more', async () => {
    const { workspaceId, record, list, activity } = await workspaceWith();
    const old = await record({ external_id: 'order-1' });
    const past = 1_700_000_000;
    const key = modules.personEventKey(workspaceId, ada, old.id ?? '');
    await modules.changeItem<{ expires_at: number }>(key, { set: { expires_at: past } });
    const mark = (await modules.queryAll({ partition: key.pk, sort: { prefix: 'EVENTKEY#' } }))[0] ?? {};
    await modules.changeItem<{ expires_at: number }>(modules.keyOfItem(mark), { set: { expires_at: past } });
    const sum = modules.activityKey(workspaceId, ada, 'visit');
    const { fields } = (await modules.getItem(sum)) ?? {};
    await modules.changeItem<{ fields: object }>(sum, { set: { fields: { ...(fields as object), expires: past } } });
    expect((await list()).entries).toEqual([]);
    const next = await record({ external_id: 'order-1' });
    expect(next).toMatchObject({ replayed: false });
    expect(await activity()).toMatchObject({ count: 1, first: next.timestamp });
  });

  it('is listed in pages, by name too', async () => {
    const { record, list } = await workspaceWith();
    const ids: (string | null)[] = [];
    for (const name of ['visit', 'order', 'visit', 'visit']) ids.unshift((await record({ name })).id);
    const pagesOf = async (over: object) => {
      const found: (string | null)[][] = [];
      let after: string | undefined;
      do {
        const page = await list({ limit: 2, after, ...over });
        found.push(page.entries.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      return found;
    };
    expect(await pagesOf({})).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(await pagesOf({ name: 'visit' })).toEqual([ids.slice(0, 2), ids.slice(3)]);
    expect(await pagesOf({ name: 'order' })).toEqual([[ids[2]]]);
    expect(await pagesOf({ name: 'none' })).toEqual([[]]);
    await expect(list({ after: 'email_1' })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('takes five write units and three read units, seven and four with an external_id', async () => {
    const { record } = await workspaceWith();
    await record({});
    const units: string[] = [];
    const stop = aroundUnits(modules.documents, ({ operation }, count) => units.push(`${operation} ${count}`));
    await record({});
    await record({ external_id: 'order-1' });
    await record({ external_id: 'order-1' });
    stop();
    expect(units).toEqual([
      'BatchGetItem 3',
      'TransactWriteItems 5',
      'BatchGetItem 4',
      'TransactWriteItems 7',
      'BatchGetItem 4',
    ]);
  });
});

describe('a batch of events', () => {
  it('is answered in order, and records those of one person in order', async () => {
    const bob = 'bob@example.net';
    const { batch, list } = await workspaceWith({ [ada]: 'subscribed', [bob]: 'subscribed' });
    const emails = [ada, bob, 'nobody@example.net', ada];
    const { data } = await batch(emails.map((email) => ({ name: 'visit', email })));
    expect(data.map(({ email, recorded }) => [email, recorded])).toEqual(
      emails.map((email) => [email, !email.startsWith('nobody')]),
    );
    expect((await list()).entries.map(({ id }) => id)).toEqual([data[3]?.id, data[0]?.id]);
  });

  it('refuses a time that cannot be, with its place, and records nothing', async () => {
    const { batch, list } = await workspaceWith();
    const far = new Date(Date.now() + 6 * 60_000).toISOString();
    const entries = [
      { name: 'visit', email: ada },
      { name: 'visit', email: ada, timestamp: far },
    ];
    await expect(batch(entries)).rejects.toMatchObject({ issues: [{ path: '[1].timestamp' }] });
    expect((await list()).entries).toEqual([]);
  });

  it('that crashed after some of its events records each once when it is repeated under its key', async () => {
    const { batch, list } = await workspaceWith();
    const entries = [1, 2, 3].map((number) => ({ name: 'visit', email: ada, data: { number } }));
    let writes = 0;
    const stop = aroundCalls(modules.documents, (next) => async (call) => {
      if (call.operation === 'TransactWriteItems') writes += 1;
      if (writes > 2) throw new Error('crashed');
      return next(call);
    });
    await expect(batch(entries, 'key-1')).rejects.toThrow('crashed');
    stop();
    expect((await list()).entries).toHaveLength(2);
    const { data } = await batch(entries, 'key-1');
    expect(data.map(({ replayed }) => replayed)).toEqual([true, true, false]);
    expect((await list()).entries.map(({ data: own }) => own.number)).toEqual([3, 2, 1]);
    await batch(entries, 'key-2');
    expect((await list()).entries).toHaveLength(6);
  });
});
