import fc from 'fast-check';
import { canonicalAddress } from '../../../shared/domain/address.ts';
import { type ExclusionReason, exclusionReasons } from '../../../shared/domain/audience.ts';
import {
  noPreferences,
  type Person,
  type SubscriberStatus,
  subscriberStatuses,
} from '../../../shared/domain/person/person.ts';
import { matches, type SegmentPerson, type SegmentRule } from '../../../shared/domain/segment/segment.ts';
import { topicId } from '../../../shared/domain/workspace/topic.ts';
import { anyPerson, anyRule } from '../domain/segment/arbitraries.ts';
import { aroundCalls } from '../store/aroundCalls.ts';
import { startTestTable } from '../store/testTable.ts';

const now = new Date('2026-11-21T12:00:00Z');
let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [audience, people, suppression, item, client, row] = await Promise.all([
    import('../../../shared/services/audience.ts'),
    import('../../../shared/store/person/people.ts'),
    import('../../../shared/store/suppression/platformSuppression.ts'),
    import('../../../shared/store/person/personRecord.ts'),
    import('../../../shared/store/table/table.ts'),
    import('../../../shared/store/person/audience.ts'),
  ]);
  const more = await Promise.all([
    import('../../../shared/store/personEvents/personEventRecord.ts'),
    import('../../../shared/store/table/keys.ts'),
    import('../../../shared/store/table/write.ts'),
  ]);
  return { ...more[0], ...more[1], ...more[2], ...audience, ...people, ...suppression, ...item, ...client, ...row };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

let worlds = 0;
const tag = 'category:news';

/** A new workspace with these people. Their addresses are unique, since all workspaces share the platform's list. */
async function newWorld(known: readonly Known[]) {
  worlds += 1;
  const workspaceId = `ws_${worlds}`;
  const domain = `world${worlds}.example`;
  const people = known.map((one, index) => ({ ...one, email: `p${index}@${domain}` }));
  await Promise.all(people.map((one) => store(workspaceId, one)));
  return { workspaceId, domain, people };
}

interface Known {
  readonly status: SubscriberStatus | null;
  readonly isSuppressed: boolean;
  readonly isBlocked: boolean;
  /** They have left the topic of the campaign. */
  readonly hasLeft: boolean;
  readonly values: SegmentPerson;
}

async function store(
  workspaceId: string,
  { email, status, isSuppressed, isBlocked, hasLeft, values }: Known & { email: string },
) {
  const at = '2026-11-20T00:00:00.000Z';
  const subscriber = status && { status, ...values, updatedAt: at, unsubscribedAt: null };
  const suppression = isSuppressed ? { reason: 'manual' as const, at } : null;
  const before = modules.nobody(workspaceId, email);
  const preferences = { ...noPreferences, leftTags: hasLeft ? [tag, 'category:other'] : [] };
  const person: Person = { ...before, subscriber, suppression, preferences };
  if (subscriber || suppression || hasLeft) await modules.savePerson(before, person, []);
  for (const [name, { count, last, expiresAt }] of values.activities ?? []) {
    const activity = { count, first: last, last, lastId: 'event_1', expiresAt };
    const record = modules.activityRecord({ workspaceId, email, name }, activity);
    await modules.putItem<typeof record>(modules.activityKey(workspaceId, email, name), record);
  }
  if (isBlocked) await modules.putPlatformSuppression(email, 'manual', now);
}

/** The rules of the contract, as directly as possible. */
function reasonFor(people: readonly (Known & { email: string })[], rule: SegmentRule | null, email: string) {
  const one = people.find((person) => person.email === email);
  if (!one?.status) return 'not_in_list';
  if (one.status !== 'subscribed') return one.status;
  if (one.isSuppressed || one.isBlocked) return 'suppressed';
  if (one.hasLeft) return 'unsubscribed';
  return rule === null || matches(rule, one.values, now) ? null : 'outside_segment';
}

async function selected(target: Parameters<typeof modules.select>[0]) {
  const { streams, ...list } = modules.select(target, now);
  const pages = (await Promise.all(streams.map(collected))).flat();
  return {
    ...list,
    members: pages.flatMap(({ members }) => members),
    excluded: pages.flatMap((page) => page.excluded),
  };
}

async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

const someone = fc.record({
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant('subscribed' as const) },
    fc.constantFrom(null, ...subscriberStatuses),
  ),
  isSuppressed: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  isBlocked: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  hasLeft: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  values: anyPerson,
});

describe('the selected audience', () => {
  it('is the same for a count, a breakdown, an export and a campaign, and follows the contract', async () => {
    const entry = fc.oneof(fc.nat({ max: 24 }), fc.constantFrom('nobody', '', 'P1 @x', '\u212Aarl@example.com'));
    const world = fc.tuple(
      fc.array(someone, { maxLength: 20 }),
      fc.option(anyRule),
      fc.array(entry, { maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(world, async ([known, rule, requested]) => {
        const { workspaceId, domain, people } = await newWorld(known);
        const reason = (email: string) => reasonFor(people, rule, email);
        const reached = people.flatMap(({ email }) => (reason(email) === null ? [email] : [])).sort();

        const everybody = { workspaceId, rule, to: null, tag };
        const whole = await selected(everybody);
        expect([...whole.members].sort()).toEqual(reached);
        expect(whole.excluded).toEqual([]);
        expect(await modules.countAudience(everybody, now)).toBe(reached.length);
        // A segment has no topic.
        const ofSegment = people.filter((one) => reasonFor([{ ...one, hasLeft: false }], rule, one.email) === null);
        const { pagesOfSegment } = await import('../../../shared/services/exports.ts');
        const pages = rule && (await collected(pagesOfSegment(workspaceId, rule, now)));
        if (pages) {
          const exported = pages.flat().map(({ email }) => email);
          expect(exported.sort()).toEqual(ofSegment.map(({ email }) => email).sort());
        }

        const to = requested.map((one, index) => {
          if (typeof one === 'string') return one;
          return index % 2 ? ` P${one}@${domain.toUpperCase()}` : `p${one}@${domain}`;
        });
        const list = await selected({ workspaceId, rule, to, tag });
        const topic = { topic_id: topicId(workspaceId, tag), tag };
        const topicOf = (email: string, why: ExclusionReason) =>
          why === 'unsubscribed' && people.some((one) => one.email === email && one.status === 'subscribed') && topic;
        const canonical = [...new Set(to.map((text) => canonicalAddress(text) ?? `invalid ${text}`))];
        const expected = canonical.map((email): [string, ExclusionReason | null] =>
          email.startsWith('invalid ') ? [email.slice('invalid '.length), 'invalid'] : [email, reason(email)],
        );
        expect(list.members).toEqual(expected.flatMap(([email, why]) => (why === null ? [email] : [])));
        expect(list.excluded).toEqual(
          expected.flatMap(([email, why]) => (why === null ? [] : [{ email, reason: why, ...topicOf(email, why) }])),
        );
        expect(list.requested).toBe(list.duplicates + list.members.length + list.excluded.length);
        expect(list.requested).toBe(to.length);

        const narrowed = { workspaceId, rule, to, tag };
        const { retained, ...broken } = await modules.breakDown(narrowed, now);
        expect(retained).toBe(list.members.length);
        expect(broken).toEqual({ requested: list.requested, duplicates: list.duplicates, excluded: list.excluded });
        expect(await modules.countAudience(narrowed, now)).toBe(retained);

        const all = await modules.breakDown({ ...everybody, to: people.map(({ email }) => email) }, now);
        expect(all.retained).toBe(reached.length);
      }),
      { numRuns: 60 },
    );
  });

  it('has each reason of the contract', async () => {
    const values = {
      firstName: null,
      lastName: null,
      tags: [],
      fields: {},
      createdAt: now.toISOString(),
      confirmedAt: null,
    };
    const known = subscriberStatuses.map((status) => ({
      status,
      isSuppressed: false,
      isBlocked: false,
      hasLeft: false,
      values,
    }));
    const { workspaceId, people } = await newWorld([
      ...known,
      { status: 'subscribed', isSuppressed: false, isBlocked: true, hasLeft: false, values },
      { status: 'subscribed', isSuppressed: false, isBlocked: false, hasLeft: true, values },
    ]);
    const to = [...people.map(({ email }) => email), 'nobody', 'stranger@example.net'];
    const { excluded } = await modules.breakDown({ workspaceId, rule: { tag: 'vip' }, to, tag }, now);
    expect(new Set(excluded.map(({ reason }) => reason))).toEqual(new Set(exclusionReasons));
  });
});

describe('a topic', () => {
  const values = {
    firstName: null,
    lastName: null,
    tags: [],
    fields: {},
    createdAt: now.toISOString(),
    confirmedAt: null,
  };
  const left = { status: 'subscribed', isSuppressed: false, isBlocked: false, hasLeft: true, values } as const;

  it('excludes nobody who has come back to it, and nobody from other mail', async () => {
    const { workspaceId, people } = await newWorld([left]);
    const reached = async (of: string | null) =>
      modules.countAudience({ workspaceId, rule: null, to: null, tag: of }, now);
    expect([await reached(tag), await reached('category:else'), await reached(null)]).toEqual([0, 1, 1]);
    const { person } = await modules.getAddress(workspaceId, people[0]?.email ?? '');
    const back = { ...person.preferences, leftTags: ['category:other'] };
    await modules.savePerson(person, { ...person, preferences: back }, []);
    expect([await reached(tag), await reached('category:other')]).toEqual([1, 0]);
  });
});

describe('select', () => {
  const values = {
    firstName: 'Ada',
    lastName: null,
    tags: ['vip'],
    fields: { city: 'London', status: 'x' },
    createdAt: now.toISOString(),
    confirmedAt: null,
  };
  const subscribed = { status: 'subscribed' as const, isSuppressed: false, isBlocked: false, hasLeft: false, values };

  /** The calls that `work` makes, with their inputs. */
  async function callsOf(work: () => Promise<unknown>) {
    const calls: {
      name: string;
      input: { ProjectionExpression?: string; ExpressionAttributeNames?: object; IndexName?: string };
    }[] = [];
    const release = aroundCalls(modules.documents, (next) => (command) => {
      calls.push({ name: command.operation, input: command.input });
      return next(command);
    });
    await work().finally(release);
    return calls;
  }

  it('returns the audience in 16 shards, each person always in the same one', async () => {
    const { workspaceId } = await newWorld(Array.from({ length: 40 }, () => subscribed));
    const shards = async () =>
      Promise.all(modules.select({ workspaceId, rule: null, to: null }, now).streams.map(collected));
    const first = await shards();
    expect(first).toHaveLength(16);
    expect(first.flat().flatMap(({ members }) => members)).toHaveLength(40);
    expect(await shards()).toEqual(first);
  });

  it('reads nothing for a stream that is not consumed', async () => {
    const { workspaceId } = await newWorld([subscribed]);
    const calls = await callsOf(async () => {
      const { streams } = modules.select({ workspaceId, rule: null, to: null }, now);
      await collected(streams[3] as AsyncIterable<unknown>);
    });
    expect(calls.filter(({ input }) => input.IndexName === 'audience')).toHaveLength(1);
  });

  it('reads the address and what the rule tests, and no more', async () => {
    const { workspaceId, people } = await newWorld([subscribed]);
    const rule: SegmentRule = {
      all: [{ tag: 'vip' }, { field: 'city', operator: 'exists' }, { field: 'status', operator: 'exists' }],
    };
    const calls = await callsOf(async () =>
      expect((await selected({ workspaceId, rule, to: null })).members).toHaveLength(1),
    );
    const [query] = calls.filter(({ input }) => input.IndexName === 'audience');
    expect(query?.input.ProjectionExpression).toBe('#n0, #n1, #n2.#n3, #n2.#n4');
    expect(Object.values(query?.input.ExpressionAttributeNames ?? {})).toEqual([
      'email',
      'tags',
      'fields',
      'city',
      'status',
      'audience_pk',
    ]);
    expect((await selected({ workspaceId, rule, to: people.map(({ email }) => email) })).members).toHaveLength(1);
  });

  it('joins events to people whatever the pages of either, without a look-up for each', async () => {
    const visited = { count: 1, last: now.toISOString(), expiresAt: 1_900_000_000 };
    const withVisit = { ...values, activities: new Map([['visit', visited]]) };
    const { workspaceId, people } = await newWorld(
      Array.from({ length: 120 }, (_, index) => ({
        ...subscribed,
        // Some who did it are not in the audience.
        status: index % 7 === 0 ? ('unsubscribed' as const) : ('subscribed' as const),
        values: index % 3 === 0 ? withVisit : values,
      })),
    );
    const expected = people.filter(({ status }, index) => status === 'subscribed' && index % 3 === 0);
    const rule: SegmentRule = { event: 'visit', operator: 'exists' };
    for (const size of [1, 3, 1000]) {
      const operations = new Set<string>();
      const release = aroundCalls(modules.documents, (next) => (command) => {
        operations.add(command.operation);
        const isIndex = 'IndexName' in command.input && command.input.IndexName === 'audience';
        return next({ ...command, input: { ...command.input, ...(isIndex && { Limit: size }) } });
      });
      const { members } = await selected({ workspaceId, rule, to: null }).finally(release);
      expect([...members].sort()).toEqual(expected.map(({ email }) => email).sort());
      expect([...operations].filter((operation) => operation === 'GetItem')).toEqual([]);
    }
    const listed = await selected({ workspaceId, rule, to: people.map(({ email }) => email) });
    expect(listed.members).toEqual(expected.map(({ email }) => email));
  });

  it('reads a list of more than one page in order', async () => {
    const { workspaceId, domain } = await newWorld([subscribed, subscribed]);
    const strangers = Array.from({ length: 4100 }, (_, index) => `stranger${index}@${domain}`);
    const { members, excluded } = await selected({
      workspaceId,
      rule: null,
      to: [`p1@${domain}`, ...strangers, `p0@${domain}`],
    });
    expect(members).toEqual([`p1@${domain}`, `p0@${domain}`]);
    expect(excluded.map(({ email }) => email)).toEqual(strangers);
  });

  it('handles fields with names of inherited properties', async () => {
    const fields = { constructor: 'a', toString: 'b' } as unknown as SegmentPerson['fields'];
    const { workspaceId } = await newWorld([{ ...subscribed, values: { ...values, fields } }, subscribed]);
    const rule: SegmentRule = { field: 'constructor', operator: 'exists' };
    expect((await selected({ workspaceId, rule, to: null })).members).toHaveLength(1);
  });
});
