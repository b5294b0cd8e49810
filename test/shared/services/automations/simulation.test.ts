import type { AutomationDefinition } from '../../../../shared/domain/automation/automation.ts';
import { newRun } from '../../../../shared/domain/automation/run.ts';
import { noAssumptions, noHistory, play } from '../../../../shared/domain/automation/simulate.ts';
import { createId } from '../../../../shared/domain/identifier.ts';
import { noPreferences, type Subscriber } from '../../../../shared/domain/person/person.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';
import { contextOf, operatorContext } from '../context.ts';

let stop: () => Promise<void>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/automations/simulateAutomation.ts')),
  ...(await import('../../../../shared/services/automations/changeAutomations.ts')),
  ...(await import('../../../../shared/services/automations/internal/simulation/sampling.ts')),
  ...(await import('../../../../shared/services/personEvents/recordEvents.ts')),
  ...(await import('../../../../shared/services/segments.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/automation/enrolments.ts')),
  ...(await import('../../../../shared/store/automation/runWrites.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/person/personRecord.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/platform/deadline.ts')),
});

beforeAll(async () => {
  ({ stop } = await startTestTable());
  verbs = await load();
});
afterAll(() => stop());

const at = '2026-11-20T00:00:00.000Z';
const now = new Date();
const day = 86_400_000;
const later = (days: number, from = now) => new Date(from.getTime() + days * day);
const dateOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** A workspace of its own for each test, with these people. */
async function workspaceWith(people: Readonly<Record<string, Partial<Subscriber>>>) {
  const made = await verbs.createWorkspace(operatorContext(), { name: 'Acme', plan: 'free', language: 'en' });
  const workspaceId = made.id;
  for (const [name, own] of Object.entries(people)) {
    const before = verbs.nobody(workspaceId, `${name}@example.net`);
    const subscriber: Subscriber = {
      ...{ status: 'subscribed', firstName: null, lastName: null, tags: [], fields: {} },
      ...{ createdAt: at, updatedAt: at, confirmedAt: null, unsubscribedAt: null, ...own },
    };
    await verbs.savePerson(before, { ...before, subscriber, preferences: noPreferences }, []);
  }
  return operatorContext(workspaceId, now);
}
type Context = Awaited<ReturnType<typeof workspaceWith>>;

const trigger = (config: object) => ({ key: 'start', type: 'trigger', config });
const rest = { key: 'rest', type: 'delay', config: { duration: '3 days' } };
const tips = { key: 'tips', type: 'send_email', config: { subject: 'Tips', text: 'Hello' } };
const inRow = (...steps: readonly { readonly key: string }[]) => ({
  steps: [...steps],
  connections: steps.slice(1).map(({ key }, index) => ({ from: steps[index]?.key, to: key })),
});
const onEvent = (config: object = {}) => inRow(trigger({ event_name: 'order', ...config }), rest, tips);

const create = (context: Context, definition: object) =>
  verbs.createAutomation(context, { name: 'Orders', ...definition } as never);
const simulate = (context: Context, id: string, asked: object) =>
  verbs.simulateAutomation(context, { id, days: 7, ...asked } as never);
const ofDefinition = (context: Context, definition: object, asked: object = {}) =>
  verbs.simulateDefinition(context, { population: 'audience', days: 7, definition, ...asked } as never);

describe('a simulation of the audience', () => {
  it('says where everybody would be, and what goes out when', async () => {
    const context = await workspaceWith({ ada: {}, bob: { tags: ['vip'] }, gone: { status: 'unsubscribed' } });
    const asked = { at: later(2).toISOString() };
    const result = await ofDefinition(context, onEvent(), asked);
    expect(result).toEqual({
      ...{ object: 'automation_simulation', people: 2, messages: 2, sampled: false, at: { rest: 2 } },
      ...{ excluded: {}, paths: null },
      timeline: [
        { date: dateOf(now), step: 'start', people: 2, messages: 0 },
        { date: dateOf(now), step: 'rest', people: 2, messages: 0 },
        { date: dateOf(later(3)), step: 'tips', people: 2, messages: 2 },
      ],
    });
    expect(await ofDefinition(context, onEvent(), asked)).toEqual(result);
  });

  it('has those whom the trigger fits', async () => {
    const context = await workspaceWith({
      ada: { tags: ['vip'], fields: { plan: 'pro', born: '1990-01-01' } },
      bob: { fields: { plan: 'free', renewal: dateOf(later(3)) } },
    });
    const { id: segment } = await verbs.createSegment(context, { name: 'Vip', rule: { tag: 'vip' } });
    const peopleOf = async (config: object) => (await ofDefinition(context, inRow(trigger(config), tips))).people;
    expect(await peopleOf({ source: 'subscribed' })).toBe(2);
    expect(await peopleOf({ source: 'tag_added', tag: 'vip' })).toBe(1);
    expect(await peopleOf({ source: 'field_changed', field: 'plan' })).toBe(2);
    expect(await peopleOf({ source: 'field_changed', field: 'plan', to: 'pro' })).toBe(1);
    expect(await peopleOf({ source: 'segment_entered', segment_id: segment })).toBe(1);
    expect(await peopleOf({ source: 'date', field: 'renewal', at: '09:00', zone: 'UTC' })).toBe(1);
    expect(await peopleOf({ source: 'manual' })).toBe(2);
    const filter = { all: [{ tag: 'vip' }, { data: 'amount', operator: 'greater_than', value: 10 }] };
    const filtered = await ofDefinition(context, onEvent({ filter_rule: filter }));
    expect(filtered).toMatchObject({ people: 1, excluded: { filtered: 1 } });
  });

  it('leaves out who was in it, and writes nothing', async () => {
    const context = await workspaceWith({ ada: {}, bob: {} });
    const { id } = await create(context, onEvent());
    await startRunOf(context, id, 'ada@example.net', later(-10), null);
    const calls: string[] = [];
    const end = aroundCalls(verbs.documents, (next) => (call) => {
      calls.push(call.operation);
      return next(call);
    });
    const result = await simulate(context, id, { population: 'audience' });
    end();
    expect(result).toMatchObject({ people: 1, excluded: { reentry: 1 } });
    expect([...new Set(calls)].sort()).toEqual(['BatchGetItem', 'GetItem', 'Query']);
  });
});

/** A run of a person, as it would be now, in the table; `isOpen: null` for one that has ended. */
async function startRunOf(
  { workspaceId }: Context,
  automationId: string,
  email: string,
  from: Date,
  definition: AutomationDefinition | null,
) {
  const steps = [trigger({ event_name: 'order' })] as never;
  const own = definition ?? ({ ...emptyDefinition, steps } as AutomationDefinition);
  const run = newRun(
    {
      ...{ workspaceId, automationId, id: createId('run', from), version: 1, epoch: 0, email },
      ...{ runKeyHash: '-', start: { event: null, data: {} }, depth: 0 },
    },
    own,
    from,
  );
  const person = verbs.nobody(workspaceId, email);
  const settings = { tag: null, quietHours: null, maxDelay: null };
  const given = {
    ...{ definition: own, settings, epoch: 0, person, activities: new Map(), leaves: null },
    ...{ assumed: noAssumptions, history: noHistory },
  };
  const played = await play(run, given, from, now);
  const position = { workspaceId, email, automationId, runKeyHash: '-' };
  const { own: before } = await verbs.getEnrolments(position);
  const isOpen = played.status === 'running';
  const after = { ...before, openRun: isOpen ? run.id : null, lastStart: from.toISOString(), starts: 1 };
  await verbs.putRun(
    { run: played, definition: own, own: { before, after }, whole: null, watched: null, more: [] },
    now,
  );
  return played;
}

const emptyDefinition = {
  ...{ connections: [], reentry: 'once', run_key: null, goals: [], from: null, reply_to: null, track: null },
} as const;

describe('a simulation of open runs', () => {
  it('goes on from where each is, and leaves out who has left', async () => {
    const context = await workspaceWith({ ada: {}, bob: {}, gone: { status: 'unsubscribed' } });
    const definition = { ...emptyDefinition, ...onEvent() } as unknown as AutomationDefinition;
    const whole = {
      ...definition,
      connections: definition.connections.map((one) => ({ ...one, type: 'default' as const })),
    };
    const { id } = await create(context, onEvent());
    await startRunOf(context, id, 'ada@example.net', later(-2), whole);
    await startRunOf(context, id, 'bob@example.net', later(-1), whole);
    await startRunOf(context, id, 'gone@example.net', later(-1), whole);
    const result = await simulate(context, id, { population: 'open_runs', at: later(1.5).toISOString() });
    expect(result).toMatchObject({ people: 2, messages: 2, at: { rest: 1 }, excluded: { unsubscribed: 1 } });
    expect(result.timeline).toEqual([
      { date: dateOf(later(1)), step: 'tips', people: 1, messages: 1 },
      { date: dateOf(later(2)), step: 'tips', people: 1, messages: 1 },
    ]);
  });

  it('needs an automation that is stored', async () => {
    const context = await workspaceWith({});
    const refused = ofDefinition(context, onEvent(), { population: 'open_runs' });
    await expect(refused).rejects.toMatchObject({ issues: [{ path: 'population' }] });
  });
});

describe('a simulation of recorded events', () => {
  const record = (context: Context, email: string, given: object = {}) =>
    verbs.recordEvent(contextOf(context.workspaceId), { name: 'order', email, ...given } as never);

  it('gives each to the automation, as if it had been enabled and new', async () => {
    const context = await workspaceWith({ ada: {}, bob: {}, eve: {} });
    await record(context, 'ada@example.net', { data: { amount: 50 } });
    await record(context, 'ada@example.net', { data: { amount: 60 } });
    await record(context, 'bob@example.net', { data: { amount: 5 } });
    await record(context, 'bob@example.net', { data: { amount: 50 }, timestamp: later(-3).toISOString() });
    const filter = { data: 'amount', operator: 'greater_than', value: 10 };
    const definition = onEvent({ filter_rule: filter });
    const replay = (more: object = {}) =>
      ofDefinition(context, { ...definition, ...more }, { population: 'replay', replay_days: 1, days: 7 });
    expect(await replay()).toMatchObject({
      ...{ people: 1, messages: 1, excluded: { already_running: 1, filtered: 1, too_old: 1 } },
    });
    const byOrder = await replay({ run_key: 'event.amount' });
    expect(byOrder).toMatchObject({ people: 1, messages: 2, at: {} });
  });

  it('needs a trigger by an event', async () => {
    const context = await workspaceWith({});
    const definition = inRow(trigger({ source: 'manual' }), tips);
    const refused = ofDefinition(context, definition, { population: 'replay' });
    await expect(refused).rejects.toMatchObject({ issues: [{ path: 'population' }] });
  });
});

describe('a simulation of named people', () => {
  it('shows the way of each, in the order of the request', async () => {
    const context = await workspaceWith({ ada: {}, gone: { status: 'bounced' } });
    const emails = ['gone@example.net', 'Ada@Example.net', 'new@example.net'];
    const { paths, people, excluded } = await ofDefinition(context, onEvent(), { population: 'emails', emails });
    expect({ people, excluded }).toEqual({ people: 1, excluded: { not_subscribed: 1, unknown_subscriber: 1 } });
    expect(paths).toMatchObject([
      { email: 'gone@example.net', excluded: 'not_subscribed', status: null, steps: [] },
      {
        ...{ email: 'ada@example.net', excluded: null, status: 'completed', reason: 'end' },
        steps: [
          { step: 'start', at: now.toISOString() },
          { step: 'rest', at: now.toISOString(), completed_at: later(3).toISOString() },
          { step: 'tips', at: later(3).toISOString(), status: 'completed' },
        ],
      },
      { email: 'new@example.net', excluded: 'unknown_subscriber' },
    ]);
  });

  it('is for keys that may read people', async () => {
    const { workspaceId } = await workspaceWith({ ada: {} });
    const actor = {
      kind: 'key',
      keyId: 'key_1',
      keyName: 'K',
      lastFour: 'abcd',
      scopes: ['automations:read'],
    } as const;
    const asked = { population: 'emails', emails: ['ada@example.net'], days: 1, definition: onEvent() } as never;
    const refused = verbs.simulateDefinition({ ...contextOf(workspaceId), actor } as never, asked);
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('what is asked', () => {
  it('is refused with the place of each problem', async () => {
    const context = await workspaceWith({});
    const past = ofDefinition(context, onEvent(), { at: later(-1).toISOString() });
    await expect(past).rejects.toMatchObject({ issues: [{ path: 'at' }] });
    const wrong = {
      ...onEvent(),
      steps: [trigger({ event_name: 'order' }), { ...rest, config: { duration: 'soon' } }],
    };
    await expect(ofDefinition(context, wrong)).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ path: 'definition.steps[1].config.duration' })]),
    });
  });

  it('is answered in the time of the call, or says that it is not', async () => {
    const pages = async function* () {
      yield [{ name: 'ada', entry: 'ada' }];
    };
    expect(await verbs.drawn([pages(), pages()])).toEqual({ entries: ['ada', 'ada'], total: 2 });
    const late = verbs.withDeadline(1000, () => verbs.drawn([pages()]));
    await expect(late).rejects.toBeInstanceOf(verbs.DeadlineExceeded);
    expect(await verbs.withDeadline(1000, () => verbs.playedOf(['ada'], async () => {}))).toBe(0);
  });
});
