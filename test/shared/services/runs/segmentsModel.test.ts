import { jest } from '@jest/globals';
import { matches, type SegmentRule } from '../../../../shared/domain/segment/segment.ts';
import { nextTurn } from '../../../../shared/domain/segment/segmentTime.ts';
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
jest.setTimeout(120_000);

const daySeconds = 86_400;
const within = (value: number): SegmentRule => ({ event: 'e', operator: 'within_last_days', value });
const rules: readonly SegmentRule[] = [
  { tag: 'a' },
  { not: { tag: 'a' } },
  { not: within(3) },
  { all: [{ tag: 'a' }, within(3)] },
  { any: [{ tag: 'a' }, { all: [{ event: 'e', operator: 'exists' }, { not: within(5) }] }] },
  { all: [{ event: 'e', operator: 'count_at_least', value: 3 }, { not: within(1) }] },
];

/** What the model knows of a person. */
interface ModelPerson {
  readonly email: string;
  readonly createdAt: string;
  isTagged: boolean;
  events: number;
  lastEvent: Date;
}

const now = () => world.modules.now();

function passes(rule: SegmentRule, { createdAt, isTagged, events, lastEvent }: ModelPerson, at: Date): boolean {
  return matches(rule, personOf({ createdAt, isTagged, events, lastEvent }), at);
}

function personOf({ createdAt, isTagged, events, lastEvent }: Omit<ModelPerson, 'email'>) {
  const expiresAt = Math.floor(lastEvent.getTime() / 1000) + 90 * daySeconds;
  const activity = { count: events, last: lastEvent.toISOString(), expiresAt };
  return {
    ...{ firstName: null, lastName: null, tags: isTagged ? ['a'] : [], fields: {}, createdAt, confirmedAt: null },
    activities: new Map(events > 0 ? [['e', activity]] : []),
  };
}

/** Whether time alone brings a person in between two moments: they are in at the second, and were out at or after the first. */
function entersByTime(rule: SegmentRule, person: ModelPerson, from: Date, until: Date): boolean {
  let wasOut = !passes(rule, person, from);
  for (let turn = nextTurn(rule, personOf(person), from); turn && turn <= until; ) {
    wasOut ||= !passes(rule, person, turn);
    turn = nextTurn(rule, personOf(person), turn);
  }
  return wasOut && passes(rule, person, until);
}

/** Numbers that are the same each time. */
function numbers(seed: number): () => number {
  let state = seed * 7919 + 13;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** People whom random changes, events and passing time bring in and out of segments. */
async function randomLife(seed: number) {
  const random = numbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const people = await Promise.all(
    [1, 2, 3].map(async (): Promise<ModelPerson> => {
      const isTagged = random() < 0.5;
      const email = await own.newcomer({ tags: isTagged ? ['a'] : [] });
      return { email, createdAt: now().toISOString(), isTagged, events: 0, lastEvent: new Date(0) };
    }),
  );
  const record = async (person: ModelPerson) => {
    await world.record(person.email, 'e');
    Object.assign(person, { events: person.events + 1, lastEvent: now() });
  };
  for (const person of people) if (random() < 0.5) await record(person);
  await own.settle();
  const exit = { key: 'end', type: 'exit', config: {} } as const;
  const watches: { readonly rule: SegmentRule; readonly id: string }[] = [];
  for (const rule of rules) {
    const segment_id = await own.segment(rule);
    watches.push({ rule, id: await own.watch({ source: 'segment_entered', segment_id }, {}, [exit]) });
  }
  const pairs = watches.flatMap((watch) => people.map((person) => ({ ...watch, person, starts: 0 })));

  const actions = {
    tag: (person: ModelPerson) => {
      person.isTagged = !person.isTagged;
      return own.change(person.email, { tags: person.isTagged ? ['a'] : [] });
    },
    event: record,
    other: (person: ModelPerson) => own.change(person.email, { firstName: String(random()) }),
  };
  const act = async (person: ModelPerson) => {
    const out = pairs.filter((pair) => pair.person === person && !passes(pair.rule, person, now()));
    await pick(Object.values(actions))(person);
    for (const pair of out) pair.starts += passes(pair.rule, person, now()) ? 1 : 0;
  };
  /** `isLate`: people act before the sweeper runs. */
  const passTime = async (seconds: number, isLate: boolean) => {
    const from = now();
    world.move(seconds);
    const entering = pairs.filter(({ rule, person }) => entersByTime(rule, person, from, now()));
    for (const pair of entering) pair.starts += 1;
    if (isLate) {
      await act(pick(people));
      // A person who left before an evaluation is not in the segment now.
      for (const pair of entering) pair.starts -= passes(pair.rule, pair.person, now()) ? 0 : 1;
      await own.settle();
    }
    await world.advance(1);
  };
  const check = async (step: number) => {
    for (const { id, rule, person, starts } of pairs) {
      const shown = { seed, step, rule: JSON.stringify(rule), email: person.email };
      expect({ ...shown, starts: await startsOf(id, person.email) }).toEqual({ ...shown, starts });
    }
  };

  // Some act before any evaluation.
  for (const person of people) if (random() < 0.4) await act(person);
  await own.settle();
  await check(0);
  for (let step = 1; step <= 25; step += 1) {
    if (random() < 0.5) await act(pick(people)).then(own.settle);
    else await passTime(60 + Math.floor(random() * 4 * daySeconds), random() < 0.3);
    await check(step);
  }
  for (const { id } of watches) await world.modules.deleteAutomation(own.context(), { id } as never);
  return pairs.reduce((sum, { starts }) => sum + starts, 0);
}

async function startsOf(automationId: string, email: string): Promise<number> {
  const position = { workspaceId: world.workspaceId, email, automationId, runKeyHash: '-' };
  return (await world.modules.getEnrolments(position)).whole.starts;
}

describe('who enters segments by chance', () => {
  it.each([1, 2, 3, 4])('starts as often as a model says: %i', async (seed) => {
    expect(await randomLife(seed)).toBeGreaterThan(10);
  });
});
