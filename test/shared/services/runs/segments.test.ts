import { jest } from '@jest/globals';
import { logger } from '../../../../shared/platform/logger.ts';
import type { PersonRecord } from '../../../../shared/store/person/personRecord.ts';
import { watchingWorld } from './watching.ts';
import { delay, type RunsWorld, startRunsWorld } from './world.ts';

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

const days = (count: number) => count * 86_400;

/** An automation with a segment of its own. */
async function watched(rule: object, more: { include_present?: boolean; reentry?: unknown } = {}) {
  const segment_id = await own.segment(rule);
  const { include_present, ...rest } = more;
  const trigger = { source: 'segment_entered', segment_id, ...(include_present && { include_present }) } as const;
  return { segment_id, id: await own.watch(trigger, rest) };
}

describe('who enters a segment', () => {
  it('by a change starts, and a person who is in it already does not', async () => {
    const present = await own.newcomer({ tags: ['a1'] });
    const { id } = await watched({ tag: 'a1' });
    const [later, other] = [await own.newcomer(), await own.newcomer({ tags: ['x'] })];
    await own.settle();
    await own.change(later, { tags: ['a1'] });
    await own.change(other, { tags: ['y'] });
    await own.change(present, { firstName: 'Ada' });
    await own.settle();
    expect([await own.starts(id, present), await own.starts(id, later), await own.starts(id, other)]).toEqual([
      0, 1, 0,
    ]);
  });

  it('starts by being created in it, and when a sign-up into it is confirmed', async () => {
    const { id } = await watched({ tag: 'a2' });
    const [created, pending] = [
      await own.newcomer({ tags: ['a2'] }),
      await own.newcomer({ tags: ['a2'], status: 'pending' }),
    ];
    await own.settle();
    expect([await own.starts(id, created), await own.starts(id, pending)]).toEqual([1, 0]);
    expect((await own.stats(id)).not_started).toEqual({ not_subscribed: 1 });
    await own.change(pending, { status: 'subscribed' });
    await own.settle();
    expect(await own.starts(id, pending)).toBe(1);
  });

  it('starts although the scan comes only after the change', async () => {
    const [present, entering] = [await own.newcomer({ tags: ['a3'] }), await own.newcomer()];
    const { id } = await watched({ tag: 'a3' });
    await own.change(entering, { tags: ['a3'] });
    await own.change(present, { firstName: 'Ada' });
    await own.settle();
    expect([await own.starts(id, present), await own.starts(id, entering)]).toEqual([0, 1]);
  });

  it('starts again by leaving and coming back, also when both come at once', async () => {
    const { id } = await watched({ tag: 'a4' });
    const email = await own.newcomer({ tags: ['a4'] });
    await own.settle();
    for (const tags of [[], ['a4']]) {
      await own.change(email, { tags });
      await own.settle();
    }
    expect(await own.starts(id, email)).toBe(2);
    for (const tags of [[], ['a4']]) await own.change(email, { tags });
    await own.settle();
    expect(await own.starts(id, email)).toBe(3);
  });

  it('starts as re-entry allows, and each start that is none counts once', async () => {
    const { id } = await watched({ tag: 'a5' }, { reentry: 'once' });
    const email = await own.newcomer({ tags: ['a5'] });
    await own.settle();
    for (const tags of [[], ['a5']]) {
      await own.change(email, { tags });
      await own.settle();
    }
    const from = world.handled.length;
    for (const message of world.handled.slice(0, from)) await world.handle(message);
    await own.settle();
    expect(await own.starts(id, email)).toBe(1);
    expect((await own.stats(id)).not_started).toEqual({ reentry: 1 });
  });

  it('does not start by an edit that is undone, when they had left before', async () => {
    const { segment_id, id } = await watched({ tag: 'u1' });
    const email = await own.newcomer({ tags: ['u1'] });
    await own.settle();
    await own.change(email, { tags: [] });
    await own.settle();
    await own.editSegment(segment_id, { rule: { tag: 'u2' } });
    await own.settle();
    await own.change(email, { tags: ['u1'] });
    await own.settle();
    await own.editSegment(segment_id, { rule: { tag: 'u1' } });
    await own.settle();
    expect(await own.starts(id, email)).toBe(1);
    for (const tags of [[], ['u1']]) {
      await own.change(email, { tags });
      await own.settle();
    }
    expect(await own.starts(id, email)).toBe(2);
  });

  it('by mail starts at the next look at them, and who opened some before does not', async () => {
    const note = async (email: string) => {
      const at = world.modules.now();
      await world.modules.noteMail({ workspaceId: world.workspaceId, email, action: 'opened', at }, 9_999_999_999, at);
    };
    world.modules.takeSettings({ ...process.env, MAIL_ACTIVITY: 'true' });
    const [before, later] = [await own.newcomer(), await own.newcomer()];
    await note(before);
    world.move(60);
    const { id } = await watched({ mail: 'opened', operator: 'exists' });
    await own.settle();
    world.move(60);
    await note(later);
    for (const email of [before, later]) await own.change(email, { firstName: 'Ada' });
    await own.settle();
    expect([await own.starts(id, before), await own.starts(id, later)]).toEqual([0, 1]);
  });

  it('starts once by each event that brings them in, and never by one that is long past', async () => {
    const { id } = await watched({ event: 'paid', operator: 'count_at_least', value: 2 });
    const [email, late] = [await own.newcomer(), await own.newcomer()];
    await own.settle();
    for (const _ of [1, 2, 3]) {
      await world.record(email, 'paid');
      await own.settle();
    }
    const timestamp = new Date(world.modules.now().getTime() - 2 * 86_400_000).toISOString();
    for (const _ of [1, 2])
      await world.modules.recordEvent(own.context(), { name: 'paid', email: late, data: {}, timestamp } as never);
    await own.settle();
    expect([await own.starts(id, email), await own.starts(id, late)]).toEqual([1, 0]);
    expect((await own.stats(id)).not_started).toEqual({ too_old: 1 });
  });

  it('by an event starts although the scan comes only afterwards', async () => {
    const email = await own.newcomer();
    await world.record(email, 'bought');
    const [{ id }, { id: first }] = [
      await watched({ event: 'bought', operator: 'count_at_least', value: 2 }),
      await watched({ event: 'bought', operator: 'exists' }),
    ];
    await world.record(email, 'bought');
    await own.settle();
    expect([await own.starts(id, email), await own.starts(first, email)]).toEqual([1, 0]);
  });
});

describe('time alone', () => {
  it('brings in who was not active, within fifteen minutes, and an event before it moves that', async () => {
    const inactive = { not: { event: 'login', operator: 'within_last_days', value: 30 } };
    const [quiet, active] = [await own.newcomer(), await own.newcomer()];
    for (const email of [quiet, active]) await world.record(email, 'login');
    const { id } = await watched({ all: [{ event: 'login', operator: 'exists' }, inactive] });
    await own.settle();
    await world.advance(days(20));
    await world.record(active, 'login');
    await own.settle();
    await world.advance(days(10) - 60);
    expect([await own.starts(id, quiet), await own.starts(id, active)]).toEqual([0, 0]);
    await world.advance(120);
    expect([await own.starts(id, quiet), await own.starts(id, active)]).toEqual([1, 0]);
    await world.record(quiet, 'login');
    await own.settle();
    await world.advance(days(20) + 60);
    expect([await own.starts(id, quiet), await own.starts(id, active)]).toEqual([1, 1]);
    await world.advance(days(10) + 60);
    expect([await own.starts(id, quiet), await own.starts(id, active)]).toEqual([2, 1]);
  });

  it('takes people out, who may come back by an event of the same minute', async () => {
    const { id } = await watched({ event: 'visit', operator: 'within_last_days', value: 7 });
    const email = await own.newcomer();
    await own.settle();
    await world.record(email, 'visit');
    await own.settle();
    world.move(days(7) + 1);
    await world.record(email, 'visit');
    await own.settle();
    expect(await own.starts(id, email)).toBe(2);
    // Within the days it only lasts longer, also when the moment that was noted first has passed.
    world.move(days(4));
    await world.record(email, 'visit');
    await own.settle();
    world.move(days(4));
    await world.record(email, 'visit');
    await own.settle();
    await world.advance(60);
    expect(await own.starts(id, email)).toBe(2);
  });

  it('starts nobody who left meanwhile', async () => {
    const { id } = await watched({
      all: [
        { date: 'created_at', operator: 'within_last_days', value: 400 },
        { not: { date: 'created_at', operator: 'within_last_days', value: 3 } },
      ],
    });
    const [stays, leaves] = [await own.newcomer(), await own.newcomer()];
    await own.settle();
    await world.modules.suppress(world.workspaceId, leaves, 'unsubscribe', world.modules.now());
    await own.settle();
    await world.advance(days(3) + 60);
    expect([await own.starts(id, stays), await own.starts(id, leaves)]).toEqual([1, 0]);
  });
});

describe('who is in a segment when it is enabled', () => {
  it('starts once with include_present', async () => {
    const emails = [await own.newcomer({ tags: ['c1'] }), await own.newcomer({ tags: ['c1'] }), await own.newcomer()];
    const { id, segment_id } = await watched({ tag: 'c1' }, { include_present: true });
    await own.settle();
    const counts = () => Promise.all(emails.map((email) => own.starts(id, email)));
    expect(await counts()).toEqual([1, 1, 0]);
    // An edit starts those alone who are in it by the new rule.
    await own.change(emails[2] ?? '', { tags: ['c2'] });
    await own.editSegment(segment_id, { rule: { any: [{ tag: 'c1' }, { tag: 'c2' }] } });
    await own.settle();
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('does not start by an edit of its rule or its name, and enters by the new rule from then on', async () => {
    const [old, by, later] = [await own.newcomer(), await own.newcomer({ tags: ['c4'] }), await own.newcomer()];
    const { id, segment_id } = await watched({ tag: 'c3' });
    await own.settle();
    await own.change(old, { tags: ['c3'] });
    await own.settle();
    await own.editSegment(segment_id, { rule: { tag: 'c4' } });
    await own.change(later, { tags: ['c4'] });
    await own.settle();
    await own.editSegment(segment_id, { name: 'Another name' });
    await own.change(old, { tags: ['c3', 'c4'] });
    await own.settle();
    await own.change(by, { firstName: 'Ada' });
    await own.settle();
    expect([await own.starts(id, old), await own.starts(id, by), await own.starts(id, later)]).toEqual([2, 0, 1]);
  });
});

describe('an automation that is not enabled', () => {
  it('starts nobody, keeps nothing for later and leaves nothing due', async () => {
    const { id, segment_id } = await watched({ not: { date: 'created_at', operator: 'within_last_days', value: 2 } });
    const email = await own.newcomer();
    await own.settle();
    await own.update(id, { status: 'disabled' });
    await world.advance(days(3));
    expect(await own.starts(id, email)).toBe(0);
    await own.update(id, { status: 'enabled' });
    await own.settle();
    await world.advance(days(1));
    expect(await own.starts(id, email)).toBe(0);
    const newer = await own.newcomer();
    await own.settle();
    await own.update(id, { status: 'draining' });
    await world.advance(days(3));
    await own.update(id, { status: 'enabled' });
    await own.settle();
    const newest = await own.newcomer();
    await own.settle();
    const trigger = { source: 'tag_added', tag: 'never' };
    await own.update(id, {
      steps: [{ key: 'start', type: 'trigger', config: trigger }, delay('d', '1 hour')],
      connections: [{ from: 'start', to: 'd' }],
    });
    await world.advance(days(3));
    expect(await Promise.all([newer, newest].map((one) => own.starts(id, one)))).toEqual([0, 0]);
    expect(await own.dueLooks(id)).toEqual([]);
    await own.update(id, {
      steps: [
        { key: 'start', type: 'trigger', config: { source: 'segment_entered', segment_id } },
        delay('d', '1 hour'),
      ],
      connections: [{ from: 'start', to: 'd' }],
    });
    await world.modules.stopAutomation(own.context(), { id } as never);
    await own.settle();
    await world.advance(days(3));
    await world.modules.deleteAutomation(own.context(), { id } as never);
    await own.settle();
    expect(await own.starts(id, newest).catch(() => 0)).toBe(0);
  });
});

// Last, since the others would scan so many people too.
describe('a large audience', () => {
  it('is scanned by many messages, and those who are present start once', async () => {
    const { modules, workspaceId } = world;
    const emails = Array.from({ length: 2000 }, (_, index) => `many${index}@example.net`);
    const present = new Set(emails.filter((_, index) => index % 400 === 0));
    const people = emails.map((email) => {
      const subscriber = modules.newSubscriber('subscribed', modules.now());
      const person = { ...modules.nobody(workspaceId, email), version: 1 };
      return modules.recordOf({ ...person, subscriber: { ...subscriber, tags: present.has(email) ? ['c5'] : [] } });
    });
    await modules.putItems<PersonRecord>(
      people.map((one, index) => ({ ...modules.addressItemKey(workspaceId, emails[index] ?? ''), ...one })),
    );
    const { id } = await watched({ tag: 'c5' }, { include_present: true });
    const head = await modules.heads.getAutomation(workspaceId, id);
    const counters = new modules.RunCounters();
    let messages = 1;
    // A worker whose time is over after each page.
    for (let pages = 0; head && !(await modules.lookAtAudience(head, counters, () => pages++ > 0)); pages = 0)
      messages += 1;
    await counters.write();
    expect(messages).toBeGreaterThan(16);
    await own.settle();
    expect((await own.stats(id)).runs.started).toBe(present.size);
  });
});
