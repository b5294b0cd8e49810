import { newSubscriber } from '../../../../shared/domain/person/person.ts';
import type { MailAction } from '../../../../shared/domain/personEvents/mailActivity.ts';
import { aroundCalls, aroundUnits } from '../aroundCalls.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/store/personEvents/mailActivity.ts')),
  ...(await import('../../../../shared/store/personEvents/activities.ts')),
  ...(await import('../../../../shared/store/personEvents/personEvents.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/person/personRecord.ts')),
  ...(await import('../../../../shared/store/table/keys.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/store/table/write.ts')),
});

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const now = new Date('2026-11-24T12:00:00.000Z');
const day = 86_400;
const kept = now.getTime() / 1000 + 90 * day;
const daysAgo = (days: number) => new Date(now.getTime() - days * day * 1000);
let people = 0;

/** A subscriber of their own for each test. */
async function newPerson() {
  people += 1;
  const workspaceId = `ws_${people}`;
  const email = 'ada@example.net';
  const before = modules.nobody(workspaceId, email);
  await modules.savePerson(before, { ...before, subscriber: newSubscriber('subscribed', daysAgo(30)) }, []);
  const note = (at: Date, action: MailAction = 'opened', expiresAt = kept, address = email) =>
    modules.noteMail({ workspaceId, email: address, action, at }, expiresAt, now);
  const sum = async (action: MailAction = 'opened') => {
    const { recordedAt: _, ...activity } = (await modules.getActivity(workspaceId, email, `email.${action}`)) ?? {};
    return 'last' in activity ? activity : null;
  };
  return { workspaceId, email, note, sum, key: modules.activityKey(workspaceId, email, 'email.opened') };
}

async function unitsOf(work: () => Promise<unknown>): Promise<string[]> {
  const units: string[] = [];
  const stop = aroundUnits(modules.documents, ({ operation }, count) => units.push(`${operation} ${count}`));
  await work();
  stop();
  return units;
}

describe('what is noted of mail', () => {
  it('is the latest time of each action, however often and in whatever order it is told', async () => {
    const { note, sum } = await newPerson();
    for (const days of [3, 1, 2, 1]) await note(daysAgo(days));
    await note(daysAgo(4), 'sent');
    expect(await sum()).toMatchObject({ first: daysAgo(3).toISOString(), last: daysAgo(1).toISOString() });
    expect(await sum('sent')).toMatchObject({ last: daysAgo(4).toISOString() });
    expect(await sum('clicked')).toBeNull();
  });

  it('is the latest also of workers that write at the same moment', async () => {
    const { note, sum } = await newPerson();
    await Promise.all([5, 1, 4, 2, 3].map((days) => note(daysAgo(days))));
    expect(await sum()).toMatchObject({ last: daysAgo(1).toISOString() });
  });

  it('takes two write units when it is news, and none when it comes again', async () => {
    const { note } = await newPerson();
    expect(await unitsOf(() => note(daysAgo(2)))).toEqual(['BatchGetItem 2', 'PutItem 2', 'BatchGetItem 1']);
    expect(await unitsOf(() => note(daysAgo(2)))).toEqual(['BatchGetItem 2']);
    expect(await unitsOf(() => note(daysAgo(1)))).toEqual(['BatchGetItem 2', 'PutItem 2']);
    const together = await unitsOf(() => Promise.all([note(now), note(now, 'sent')]));
    expect(together.sort()).toEqual(['BatchGetItem 1', 'BatchGetItem 3', 'PutItem 2', 'PutItem 2']);
  });

  it('lies in the index that segments read beside the audience', async () => {
    const { workspaceId, email, note } = await newPerson();
    await note(daysAgo(1));
    const names = new Set(['email.opened', 'email.clicked']);
    const expected = new Map([['email.opened', { count: 1, last: daysAgo(1).toISOString(), expiresAt: kept }]]);
    const shards = Array.from({ length: modules.audienceShards }, (_, shard) =>
      modules.activitiesOfShard(workspaceId, names, shard)(email),
    );
    expect((await Promise.all(shards)).filter(({ size }) => size > 0)).toEqual([expected]);
    expect((await modules.findActivities(workspaceId, [email], names)).get(email)).toEqual(expected);
  });

  it('begins again after it has expired', async () => {
    const { note, sum } = await newPerson();
    await note(daysAgo(100), 'opened', now.getTime() / 1000 - 10 * day);
    await note(daysAgo(1));
    expect(await sum()).toMatchObject({ first: daysAgo(1).toISOString(), expiresAt: kept });
  });
});

describe('nothing is noted of', () => {
  it('an address that is no subscriber’s, and nobody is made one', async () => {
    const { workspaceId, note } = await newPerson();
    const units = await unitsOf(() => note(now, 'sent', kept, 'nobody@example.net'));
    expect(units).toEqual(['BatchGetItem 2']);
    const { pk: partition } = modules.addressItemKey(workspaceId, 'nobody@example.net');
    expect(await modules.queryAll({ partition })).toEqual([]);
  });

  it.each([
    ['the read and the write', 'BatchGetItem', true],
    ['the read and the first write', 'BatchGetItem', false],
    ['the first write and the second read', 'PutItem', false],
  ])('a person who is erased between %s', async (_, after, isKnown) => {
    const { workspaceId, email, note, sum, key } = await newPerson();
    if (isKnown) await note(daysAgo(2));
    const stop = aroundCalls(modules.documents, (next) => async (call) => {
      const output = await next(call);
      if (call.operation === after) {
        stop();
        await modules.deleteItem<{ status: string }>(modules.addressItemKey(workspaceId, email));
        if (isKnown) await modules.deleteItem<{ status: string }>(key);
      }
      return output;
    });
    await note(daysAgo(1));
    expect(await sum()).toBeNull();
  });
});
