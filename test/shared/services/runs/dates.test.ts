import { jest } from '@jest/globals';
import { logger } from '../../../../shared/platform/logger.ts';
import { watchingWorld } from './watching.ts';
import { type RunsWorld, startRunsWorld } from './world.ts';

let world: RunsWorld;
let own: ReturnType<typeof watchingWorld>;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
  own = watchingWorld(world);
});
afterEach(async () => expect(await own.audit()).toEqual([]));
afterAll(() => world.stop());
jest.setTimeout(60_000);

const secondsOfDay = 86_400;
const now = () => world.modules.now();
/** The date so many days from today, in UTC. */
const dateIn = (days: number): string =>
  new Date(now().getTime() + days * secondsOfDay * 1000).toISOString().slice(0, 10);
/** Moves the clock to a moment, with the sweeper at its end. */
const to = (moment: string) => world.advance((Date.parse(moment) - now().getTime()) / 1000);
/** A field of the test's own, so that it has no people of the others. */
let tests = 0;
let field = '';
beforeEach(() => {
  tests += 1;
  field = `ends${tests}`;
});
const ends = (value: string) => ({ [field]: value });
const trigger = (more: object = {}) => ({ source: 'date', field, at: '09:00', zone: 'UTC', ...more }) as const;
const startedAt = async (id: string, email: string): Promise<string[]> => {
  const input = { id, email, limit: 50 } as never;
  const { entries } = await world.modules.listAutomationRuns(own.context(), input);
  return entries.map(({ created_at }) => created_at.slice(0, 16)).sort();
};

describe('a date', () => {
  it('starts at its time, of people who have it when the automation is enabled and of those who get it', async () => {
    const [known, none] = [
      await own.newcomer({ fields: ends(dateIn(3)) }),
      await own.newcomer({ fields: ends('soon') }),
    ];
    const id = await own.watch(trigger());
    await own.settle();
    const [gets, created] = [await own.newcomer(), await own.newcomer({ fields: ends(dateIn(3)) })];
    await own.change(gets, { fields: ends(dateIn(3)) });
    await own.settle();
    const day = dateIn(3);
    await to(`${day}T08:59:50Z`);
    expect(await own.starts(id, known)).toBe(0);
    await to(`${day}T09:00:10Z`);
    for (const email of [known, gets, created]) expect(await startedAt(id, email)).toEqual([`${day}T09:00`]);
    expect(await own.starts(id, none)).toBe(0);
    await world.advance(secondsOfDay);
    expect(await own.starts(id, known)).toBe(1);
    expect(await own.dueLooks(id)).toEqual([]);
  });

  it('of a sign-up that expired is forgotten when its person is looked at', async () => {
    const id = await own.watch(trigger());
    const email = await own.newcomer({ fields: ends(dateIn(2)), status: 'pending' });
    await own.settle();
    expect(await own.dueLooks(id)).toHaveLength(1);
    const { modules, workspaceId } = world;
    await modules.changePerson({ workspaceId, email }, 'form', modules.now(), ({ person }) => ({
      person: { ...person, subscriber: null },
      result: null,
    }));
    await own.settle();
    await to(`${dateIn(2)}T09:00:10Z`);
    await own.settle();
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await world.advance(400);
      await own.settle();
    }
    expect(await own.dueLooks(id)).toEqual([]);
    expect(await own.starts(id, email)).toBe(0);
  });

  it('that has passed starts nothing, nor does one that was changed or removed before its day', async () => {
    const id = await own.watch(trigger());
    const emails = [await own.newcomer({ fields: ends(dateIn(-1)) }), await own.newcomer({ fields: ends(dateIn(-2)) })];
    const [later, sooner, gone] = [
      await own.newcomer({ fields: ends(dateIn(2)) }),
      await own.newcomer({ fields: ends(dateIn(4)) }),
      await own.newcomer({ fields: ends(dateIn(2)) }),
    ];
    await own.settle();
    const [second, third, fourth] = [dateIn(2), dateIn(3), dateIn(4)];
    await own.change(later, { fields: ends(fourth) });
    await own.change(sooner, { fields: ends(third) });
    await own.change(gone, { fields: {} });
    await own.settle();
    await to(`${second}T09:01:00Z`);
    await to(`${third}T09:01:00Z`);
    await to(`${fourth}T09:01:00Z`);
    expect(await Promise.all([...emails, gone].map((email) => own.starts(id, email)))).toEqual([0, 0, 0]);
    expect(await startedAt(id, later)).toEqual([`${fourth}T09:01`]);
    expect(await startedAt(id, sooner)).toEqual([`${third}T09:01`]);
  });

  it('is the date of its moment, although it is changed before the evaluation', async () => {
    const id = await own.watch(trigger());
    const email = await own.newcomer({ fields: ends(dateIn(1)) });
    await own.settle();
    const day = dateIn(1);
    world.move((Date.parse(`${day}T09:00:20Z`) - now().getTime()) / 1000);
    await own.change(email, { fields: ends(dateIn(5)) });
    await world.advance(10);
    expect(await own.starts(id, email)).toBe(1);
    await to(`${dateIn(5)}T09:00:30Z`);
    expect(await own.starts(id, email)).toBe(2);
  });

  it('comes each year, some days before or after, and on 28 February in other years', async () => {
    const id = await own.watch(trigger({ every: 'year', offset_days: -7 }));
    const plain = await own.watch(trigger({ every: 'year' }));
    const email = await own.newcomer({ fields: ends('1996-02-29') });
    await own.settle();
    const first = now().getUTCFullYear() + 1;
    for (const year of [first, first + 1, first + 2]) {
      await to(`${year}-02-21T00:00:00Z`);
      await to(`${year}-02-21T09:00:10Z`);
      await to(`${year}-02-22T09:00:10Z`);
      await to(`${year}-02-28T09:00:10Z`);
      await to(`${year}-02-29T09:00:10Z`);
    }
    const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
    const years = [first, first + 1, first + 2];
    expect(await startedAt(plain, email)).toEqual(years.map((year) => `${year}-02-${isLeap(year) ? 29 : 28}T09:00`));
    expect(await startedAt(id, email)).toEqual(years.map((year) => `${year}-02-${isLeap(year) ? 22 : 21}T09:00`));
  });

  it('at a time that the clocks of its zone skip is the moment after', async () => {
    const id = await own.watch(trigger({ at: '02:30', zone: 'Europe/Paris' }));
    // Summer time begins on the last Sunday of March.
    const year = now().getUTCFullYear() + 1;
    const last = new Date(Date.UTC(year, 2, 31));
    const day = new Date(last.getTime() - last.getUTCDay() * secondsOfDay * 1000).toISOString().slice(0, 10);
    const email = await own.newcomer({ fields: ends(day) });
    await own.settle();
    expect(await own.dueLooks(id)).toEqual([`${day}T01:00:00.000Z`]);
    await to(`${day}T01:00:05Z`);
    expect(await own.starts(id, email)).toBe(1);
  });

  it('counts for people who become subscribed, and is counted for those who are not', async () => {
    const id = await own.watch(trigger());
    const [pending, left] = [
      await own.newcomer({ status: 'pending', fields: ends(dateIn(2)) }),
      await own.newcomer({ fields: ends(dateIn(2)) }),
    ];
    await own.settle();
    await own.change(pending, { status: 'subscribed' });
    await world.modules.suppress(world.workspaceId, left, 'unsubscribe', now());
    await own.settle();
    await to(`${dateIn(2)}T09:00:10Z`);
    expect([await own.starts(id, pending), await own.starts(id, left)]).toEqual([1, 0]);
    expect((await own.stats(id)).not_started).toEqual({ not_subscribed: 1 });
  });

  it('starts once by a message that comes twice, and nothing more than a day late', async () => {
    const id = await own.watch(trigger());
    const [email, late] = [
      await own.newcomer({ fields: ends(dateIn(1)) }),
      await own.newcomer({ fields: ends(dateIn(3)) }),
    ];
    await own.settle();
    const from = world.handled.length;
    await to(`${dateIn(1)}T09:00:10Z`);
    for (const message of world.handled.slice(from)) await world.handle(message);
    await own.settle();
    await world.advance(4 * secondsOfDay);
    expect([await own.starts(id, email), await own.starts(id, late)]).toEqual([1, 0]);
    expect((await own.stats(id)).not_started).toEqual({ too_old: 1 });
  });

  it('starts nothing while it is disabled, nor afterwards what came meanwhile', async () => {
    const id = await own.watch(trigger());
    const [missed, next] = [
      await own.newcomer({ fields: ends(dateIn(1)) }),
      await own.newcomer({ fields: ends(dateIn(4)) }),
    ];
    await own.settle();
    await own.update(id, { status: 'disabled' });
    await world.advance(2 * secondsOfDay);
    await own.update(id, { status: 'enabled' });
    await own.settle();
    await to(`${dateIn(2)}T09:00:10Z`);
    expect([await own.starts(id, missed), await own.starts(id, next)]).toEqual([0, 1]);
  });

  it('moves with the definition: an offset that is changed holds for everybody', async () => {
    const id = await own.watch(trigger());
    const email = await own.newcomer({ fields: ends(dateIn(2)) });
    await own.settle();
    const steps = [
      { key: 'start', type: 'trigger', config: trigger({ offset_days: 1 }) },
      { key: 'done', type: 'subscriber_update', config: { add_tags: ['done'] } },
    ];
    await own.update(id, { steps });
    await own.settle();
    const [second, third] = [dateIn(2), dateIn(3)];
    await to(`${second}T09:01:00Z`);
    expect(await own.starts(id, email)).toBe(0);
    await to(`${third}T09:00:10Z`);
    expect(await own.starts(id, email)).toBe(1);
  });
});
