import type { AutomationDefinition, AutomationStep } from '../../../../shared/domain/automation/automation.ts';
import { type AutomationRun, newRun } from '../../../../shared/domain/automation/run.ts';
import {
  activitiesAskedFor,
  noAssumptions,
  noHistory,
  type Play,
  play,
} from '../../../../shared/domain/automation/simulate.ts';
import { SimulationCounter } from '../../../../shared/domain/automation/simulationCount.ts';
import { newSubscriber, noPreferences, type Person } from '../../../../shared/domain/person/person.ts';

const start = new Date('2026-11-24T10:00:00Z');
const day = 86_400_000;
const later = (days: number) => new Date(start.getTime() + days * day);

type Connection = AutomationDefinition['connections'][number];

/** A line of steps, with further connections. */
function definitionOf(
  steps: readonly AutomationStep[],
  { more = [], ...changes }: Partial<AutomationDefinition> & { readonly more?: readonly Connection[] } = {},
): AutomationDefinition {
  const all = [{ key: 'begin', type: 'trigger', config: { event_name: 'order' } } as const, ...steps] as const;
  const types = { wait_for_event: 'event_received', condition: 'condition_met' } as const;
  const line = steps.map((step, index): Connection => {
    const before = all[index] ?? all[0];
    const type = before.type === 'wait_for_event' || before.type === 'condition' ? types[before.type] : 'default';
    return { from: before.key, to: step.key, type };
  });
  return {
    ...{ steps: all, connections: [...line, ...more], reentry: 'once', run_key: null },
    ...{ goals: [], from: null, reply_to: null, track: null, ...changes },
  };
}

const subscriber = newSubscriber('subscribed', start);
const person: Person = {
  ...{ workspaceId: 'ws_1', email: 'ada@example.net', version: 1, subscriber },
  ...{ suppression: null, confirmation: null, preferences: noPreferences },
};

const given = (definition: AutomationDefinition, change: Partial<Play> = {}): Play => ({
  ...{ definition, settings: { tag: null, quietHours: null, maxDelay: null }, epoch: 1, person },
  ...{ activities: new Map(), leaves: null },
  ...{ assumed: noAssumptions, history: noHistory, ...change },
});

const runOf = (definition: AutomationDefinition, at = start, data = {}): AutomationRun =>
  newRun(
    {
      ...{ workspaceId: 'ws_1', automationId: 'auto_1', id: 'run_1', version: 1, epoch: 1, email: person.email },
      ...{ runKeyHash: '-', start: { event: 'event_start', data }, depth: 0 },
    },
    definition,
    at,
  );

/** Where a run comes by, and when. */
const pathOf = ({ story }: AutomationRun, { steps }: AutomationDefinition) =>
  story
    .slice(1)
    .map(({ step, startedAt, completedAt }) => [
      steps[step]?.key,
      new Date(startedAt).toISOString().slice(0, 19),
      completedAt === undefined ? null : new Date(completedAt).toISOString().slice(0, 19),
    ]);

const mail = (key: string): AutomationStep => ({ key, type: 'send_email', config: { subject: 'Hi' } });
const delay = (key: string, duration: string): AutomationStep => ({ key, type: 'delay', config: { duration } });
const wait = (key: string, event: string, more = {}): AutomationStep => ({
  ...{ key, type: 'wait_for_event', config: { event_name: event, timeout: '2 days', ...more } },
});

describe('a simulated run', () => {
  it('comes by each step at its time, and stays where the simulation ends', async () => {
    const definition = definitionOf([mail('hello'), delay('rest', '3 days'), mail('tips'), delay('long', '30 days')]);
    const run = await play(runOf(definition), given(definition), start, later(5));
    expect(pathOf(run, definition)).toEqual([
      ['hello', '2026-11-24T10:00:00', '2026-11-24T10:00:00'],
      ['rest', '2026-11-24T10:00:00', '2026-11-27T10:00:00'],
      ['tips', '2026-11-27T10:00:00', '2026-11-27T10:00:00'],
      ['long', '2026-11-27T10:00:00', null],
    ]);
    expect(run).toMatchObject({ status: 'running', step: 4 });
  });

  it('keeps the quiet hours of the person, through a change of the clocks', async () => {
    const definition = definitionOf([delay('rest', '4 days'), mail('tips')]);
    const quietHours = { from: '21:00', to: '08:00', zone: 'UTC', zone_field: 'zone' };
    const inParis = { ...person, subscriber: { ...subscriber, fields: { zone: 'Europe/Paris' } } };
    const settings = { tag: null, quietHours, maxDelay: '1 hour' };
    // The clocks go back on 25 October 2026: 21:30 in Paris is 20:30 UTC on that day, and its 08:00 is 07:00 UTC.
    const from = new Date('2026-10-21T20:30:00Z');
    const run = await play(runOf(definition, from), given(definition, { person: inParis, settings }), from, later(0));
    expect(pathOf(run, definition)[1]).toEqual(['tips', '2026-10-25T20:30:00', '2026-10-26T07:00:00']);
  });

  it('waits for a time of day in the zone of the person', async () => {
    const until = { time: '09:00', zone: 'UTC', zone_field: 'zone', weekdays: ['monday' as const] };
    const definition = definitionOf([{ key: 'monday', type: 'delay', config: { until } }, mail('tips')]);
    const inTokyo = { ...person, subscriber: { ...subscriber, fields: { zone: 'Asia/Tokyo' } } };
    const run = await play(runOf(definition), given(definition, { person: inTokyo }), start, later(10));
    expect(pathOf(run, definition)[1]?.[1]).toBe('2026-11-30T00:00:00');
  });

  it('gives a wait up at its deadline, or meets at once what is assumed', async () => {
    const more = [{ from: 'paid', to: 'remind', type: 'timeout' }] as const;
    const definition = {
      ...definitionOf([wait('paid', 'paid'), mail('thanks'), { key: 'end', type: 'exit', config: {} }, mail('remind')]),
    };
    const split = {
      ...definition,
      connections: [...definition.connections.filter(({ to }) => to !== 'remind'), ...more],
    };
    const alone = await play(runOf(split), given(split), start, later(5));
    expect(pathOf(alone, split).map(([key]) => key)).toEqual(['paid', 'remind']);
    // A deadline is decided half a minute later, as the engine does.
    expect(pathOf(alone, split)[1]?.[1]).toBe('2026-11-26T10:00:30');
    const assumed = { ...noAssumptions, events: new Set(['paid']) };
    const met = await play(runOf(split), given(split, { assumed }), start, later(5));
    expect(pathOf(met, split)).toEqual([
      ['paid', '2026-11-24T10:00:00', '2026-11-24T10:00:00'],
      ['thanks', '2026-11-24T10:00:00', '2026-11-24T10:00:00'],
      ['end', '2026-11-24T10:00:00', '2026-11-24T10:00:00'],
    ]);
  });

  it('passes a filter on data that nobody knows, but not one on the person', async () => {
    const rest = (filter: object) => definitionOf([wait('paid', 'paid', { filter_rule: filter }), mail('thanks')]);
    const assumed = { ...noAssumptions, events: new Set(['paid']) };
    const ends = async (filter: object) => {
      const run = await play(runOf(rest(filter)), given(rest(filter), { assumed }), start, later(1));
      return run.story[1]?.branch ?? null;
    };
    const amount = { data: 'amount', operator: 'greater_than', value: 100 };
    expect(await ends(amount)).toBe('event_received');
    expect(await ends({ not: amount })).toBe('event_received');
    expect(await ends({ all: [amount, { tag: 'vip' }] })).toBeNull();
  });

  it('ends at a goal', async () => {
    const goals = [{ event_name: 'bought' }, { rule: { tag: 'customer' } }];
    const definition = definitionOf([delay('rest', '1 day'), mail('tips')], { goals });
    const assumed = { ...noAssumptions, events: new Set(['bought']) };
    const bought = await play(runOf(definition), given(definition, { assumed }), start, later(5));
    expect(bought).toMatchObject({ status: 'completed', reason: 'goal', endedAt: start.toISOString() });
    const customer = { ...person, subscriber: { ...subscriber, tags: ['customer'] } };
    const already = await play(runOf(definition), given(definition, { person: customer }), start, later(5));
    expect(already).toMatchObject({ reason: 'goal', endedAt: start.toISOString() });
  });

  it('reads what an earlier step has changed, and leaves the person as they were', async () => {
    const definition = definitionOf([
      {
        key: 'mark',
        type: 'subscriber_update',
        config: { add_tags: ['seen'], fields: { plan: { var: 'event.plan' } } },
      },
      {
        key: 'pro',
        type: 'condition',
        config: { all: [{ tag: 'seen' }, { field: 'plan', operator: 'equals', value: 'pro' }] },
      },
      mail('offer'),
    ]);
    const run = await play(runOf(definition, start, { plan: 'pro' }), given(definition), start, later(1));
    expect(run.story.map(({ branch }) => branch)).toEqual([undefined, undefined, 'condition_met', undefined]);
    expect(person.subscriber?.tags).toEqual([]);
  });

  it('takes messages for opened only where that is assumed', async () => {
    const opened: AutomationStep = { key: 'opened', type: 'condition', config: { step: 'hello', mail: 'opened' } };
    const definition = definitionOf([mail('hello'), opened, mail('more')]);
    const lasts = async (assumed = noAssumptions) =>
      (await play(runOf(definition), given(definition, { assumed }), start, later(1))).story.length;
    expect(await lasts()).toBe(3);
    expect(await lasts({ ...noAssumptions, opened: true })).toBe(4);
  });

  it('goes on from where a run is, with what was recorded before', async () => {
    const definition = definitionOf([delay('rest', '1 day'), wait('paid', 'paid', { since: 'run' }), mail('thanks')]);
    const begun = await play(runOf(definition), given(definition), start, later(0.5));
    expect(begun).toMatchObject({ step: 1, phase: 'delay' });
    const events = [{ id: 'event_2', name: 'paid', data: {}, recordedAt: later(0.2) }];
    const run = await play(begun, given(definition, { history: { ...noHistory, events } }), later(0.5), later(3));
    expect(pathOf(run, definition).at(-1)).toEqual(['thanks', '2026-11-25T10:00:00', '2026-11-25T10:00:00']);
    const stopped = await play(begun, given(definition, { epoch: 2 }), later(0.5), later(3));
    expect(stopped).toMatchObject({ status: 'cancelled', reason: 'stopped' });
  });

  it('skips what belongs to a topic that the person has left', async () => {
    const definition = definitionOf([mail('tips')]);
    const leaver = { ...person, preferences: { ...noPreferences, leftTags: ['kind:news'] } };
    const settings = { tag: 'kind:news', quietHours: null, maxDelay: null };
    const run = await play(runOf(definition), given(definition, { person: leaver, settings }), start, later(1));
    expect(run.story.at(-1)).toMatchObject({ status: 'skipped', reason: 'left_topic' });
  });
});

describe('a rule about events', () => {
  it('knows those that were recorded, and those that are assumed', async () => {
    const had = { event: 'paid', operator: 'count_at_least', value: 2 };
    const definition = definitionOf([{ key: 'had', type: 'condition', config: had }, mail('thanks')]);
    expect([...activitiesAskedFor(definition)]).toEqual(['paid']);
    const paid = { count: 1, last: start.toISOString(), expiresAt: later(90).getTime() / 1000 };
    const activities = new Map([['paid', paid]]);
    const branchOf = async (assumed = noAssumptions) =>
      (await play(runOf(definition), given(definition, { activities, assumed }), start, later(1))).story[1]?.branch;
    expect(await branchOf()).toBe('condition_not_met');
    expect(await branchOf({ ...noAssumptions, events: new Set(['paid']) })).toBe('condition_met');
  });
});

describe('a rule on mail', () => {
  it('knows what was noted, what the run has sent meanwhile, and what is assumed of it', async () => {
    const steps = (rule: object): AutomationStep[] => [
      ...[mail('hello'), delay('rest', '3 days')],
      ...[{ key: 'asks', type: 'condition', config: rule } as const, delay('held', '1 day')],
    ];
    const holds = async (rule: object, change: Partial<Play> = {}) => {
      const definition = definitionOf(steps(rule));
      expect([...activitiesAskedFor(definition)]).toHaveLength(1);
      return (await play(runOf(definition), given(definition, change), start, later(3.5))).status === 'running';
    };
    const sent = { mail: 'sent', operator: 'within_last_days' };
    expect(await holds({ ...sent, value: 3 })).toBe(true);
    expect(await holds({ ...sent, value: 2 })).toBe(false);
    const opened = { mail: 'opened', operator: 'exists' };
    expect(await holds(opened)).toBe(false);
    expect(await holds(opened, { assumed: { ...noAssumptions, opened: true } })).toBe(true);
    const known = { count: 1, last: later(-1).toISOString(), expiresAt: later(9).getTime() / 1000 };
    expect(await holds(opened, { activities: new Map([['email.opened', known]]) })).toBe(true);
  });
});

describe('the count of a simulation', () => {
  const definition = definitionOf([mail('hello'), delay('rest', '3 days'), mail('tips')]);
  const counterAt = (at: Date, zone = 'UTC') =>
    new SimulationCounter({ from: start, until: later(5), at, zone }, definition);

  it('says who is where at a moment, and what goes out on each day', async () => {
    const run = await play(runOf(definition), given(definition), start, later(5));
    const counter = counterAt(later(2));
    counter.addRun(run, definition);
    counter.exclude('reentry');
    expect(counter.result()).toEqual({
      ...{ people: 1, messages: 2, at: { rest: 1 }, excluded: { reentry: 1 } },
      timeline: [
        { date: '2026-11-24', step: 'begin', people: 1, messages: 0 },
        { date: '2026-11-24', step: 'hello', people: 1, messages: 1 },
        { date: '2026-11-24', step: 'rest', people: 1, messages: 0 },
        { date: '2026-11-27', step: 'tips', people: 1, messages: 1 },
      ],
    });
    const ended = counterAt(later(4));
    ended.addRun(run, definition);
    expect(ended.result().at).toEqual({});
  });

  it('has the days of the zone, and what a sample stands for', async () => {
    const run = await play(runOf(definition), given(definition), start, later(5));
    const counter = counterAt(later(2), 'Pacific/Kiritimati');
    counter.addRun(run, definition);
    const { people, at, timeline } = counter.result(10);
    expect([people, at]).toEqual([10, { rest: 10 }]);
    expect(timeline.at(-1)).toEqual({ date: '2026-11-28', step: 'tips', people: 10, messages: 10 });
    expect(timeline[0]?.date).toBe('2026-11-25');
  });
});
