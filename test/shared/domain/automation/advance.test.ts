import {
  advance,
  isAwaited,
  type RunEffects,
  type RunWorld,
  waitingForPlace,
} from '../../../../shared/domain/automation/advance.ts';
import type { AutomationDefinition, AutomationStep } from '../../../../shared/domain/automation/automation.ts';
import {
  type AutomationRun,
  completed,
  isPoisoned,
  newRun,
  usedEvents,
} from '../../../../shared/domain/automation/run.ts';
import { contributionOf, movedTally, summed } from '../../../../shared/domain/automation/tally.ts';
import { newSubscriber, noPreferences, type Person } from '../../../../shared/domain/person/person.ts';

const start = new Date('2026-11-24T10:00:00Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

type Connection = AutomationDefinition['connections'][number];

function definitionOf(steps: readonly AutomationStep[], connections?: readonly Connection[]): AutomationDefinition {
  const all = [{ key: 'begin', type: 'trigger', config: { event_name: 'order' } } as const, ...steps] as const;
  const line = steps.map(
    (step, index): Connection => ({
      from: all[index]?.key ?? '',
      to: step.key,
      type: all[index]?.type === 'wait_for_event' ? 'event_received' : 'default',
    }),
  );
  return {
    ...{ steps: all, connections: connections ?? line, reentry: 'once', run_key: null },
    ...{ goals: [], from: null, reply_to: null, track: null },
  };
}

const person: Person = {
  ...{ workspaceId: 'ws_1', email: 'ada@example.net', version: 1, subscriber: newSubscriber('subscribed', start) },
  ...{ suppression: null, confirmation: null, preferences: noPreferences },
};
const head = { status: 'enabled', epoch: 1, tag: null, quietHours: null, maxDelay: null, held: null } as const;

const worldOf = (definition: AutomationDefinition, change: Partial<RunWorld> = {}): RunWorld => ({
  ...{ definition, head, person, leaves: null, now: start, ...change },
});

const runOf = (definition: AutomationDefinition): AutomationRun =>
  newRun(
    {
      ...{ workspaceId: 'ws_1', automationId: 'auto_1', id: 'run_1', version: 1, epoch: 1, email: person.email },
      ...{ runKeyHash: '-', start: { event: 'event_start', data: {} }, depth: 0 },
    },
    definition,
    start,
  );

function effectsOf(answers: Partial<RunEffects> = {}): RunEffects & { readonly made: string[] } {
  const made: string[] = [];
  return {
    made,
    passes: async () => true,
    update: async ({ key }) => made.push(key) > 0,
    callWebhook: async ({ key }) => made.push(key) > 0,
    findEvent: async () => null,
    ...answers,
  };
}

const tag = (key: string): AutomationStep => ({ key, type: 'subscriber_update', config: { add_tags: [key] } });
const mail = (key: string): AutomationStep => ({ key, type: 'send_email', config: { subject: 'Hi' } });
const wait = { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '1 hour' } } as const;

describe('a run', () => {
  it('goes on to the next rest, through steps that need none', async () => {
    const definition = definitionOf([tag('a'), { key: 'd', type: 'delay', config: { duration: '3 days' } }]);
    const effects = effectsOf();
    const next = await advance(runOf(definition), worldOf(definition), effects);
    expect(effects.made).toEqual(['a']);
    expect(next).toMatchObject({ kind: 'rest', run: { phase: 'delay', wakesAt: '2026-11-27T10:00:00.000Z' } });
  });

  it('ends where no connection leads on', async () => {
    const definition = definitionOf([tag('a')]);
    const next = await advance(runOf(definition), worldOf(definition), effectsOf());
    expect(next).toMatchObject({ kind: 'end', run: { status: 'completed', reason: 'end' } });
  });

  it('names the reason of an exit', async () => {
    const definition = definitionOf([{ key: 'x', type: 'exit', config: { reason: 'not for them' } }]);
    const next = await advance(runOf(definition), worldOf(definition), effectsOf());
    expect(next).toMatchObject({ run: { reason: 'exit', story: [{}, { reason: 'not for them' }] } });
  });

  it('takes one branch, and writes the decision before it has effects', async () => {
    const definition = definitionOf(
      [{ key: 'c', type: 'condition', config: { tag: 'vip' } }, tag('yes'), tag('no')],
      [
        { from: 'begin', to: 'c', type: 'default' },
        { from: 'c', to: 'yes', type: 'condition_met' },
        { from: 'c', to: 'no', type: 'condition_not_met' },
      ],
    );
    const effects = effectsOf({ passes: async () => false });
    const decided = await advance(runOf(definition), worldOf(definition), effects);
    expect(decided).toMatchObject({ kind: 'checkpoint', run: { step: 3 } });
    expect(effects.made).toEqual([]);
    if (decided.kind !== 'checkpoint') throw new Error(decided.kind);
    expect(await advance(decided.run, worldOf(definition), effects)).toMatchObject({ kind: 'end' });
    expect(effects.made).toEqual(['no']);
  });

  it.each([
    [{ head: null }, 'deleted'],
    [{ head: { ...head, epoch: 2 } }, 'stopped'],
    [{ leaves: 'bounced' as const }, 'bounced'],
  ])('is over when its reader says so: %j', async (change, reason) => {
    const definition = definitionOf([tag('a')]);
    const effects = effectsOf();
    const next = await advance(runOf(definition), worldOf(definition, change), effects);
    expect(next).toMatchObject({ kind: 'end', run: { status: 'cancelled', reason } });
    expect(effects.made).toEqual([]);
  });

  it('waits while its automation is disabled, and goes on while it is draining', async () => {
    const definition = definitionOf([tag('a')]);
    const world = (status: 'disabled' | 'draining') => worldOf(definition, { head: { ...head, status } });
    expect(await advance(runOf(definition), world('disabled'), effectsOf())).toMatchObject({ kind: 'stay' });
    expect(await advance(runOf(definition), world('draining'), effectsOf())).toMatchObject({ kind: 'end' });
  });

  it('ends at a goal that is read before each step', async () => {
    const definition = { ...definitionOf([tag('a')]), goals: [{ rule: { tag: 'customer' } }] };
    const next = await advance(runOf(definition), worldOf(definition), effectsOf());
    expect(next).toMatchObject({ run: { status: 'completed', reason: 'goal' } });
  });

  it('goes on after a webhook that was deleted', async () => {
    const definition = definitionOf([{ key: 'w', type: 'webhook', config: { webhook_id: 'whk_1' } }]);
    const next = await advance(runOf(definition), worldOf(definition), effectsOf({ callWebhook: async () => false }));
    expect(next).toMatchObject({ run: { status: 'completed', story: [{}, { status: 'failed' }] } });
  });
});

describe('a wait', () => {
  const definition = definitionOf(
    [wait, tag('yes'), tag('no')],
    [
      { from: 'begin', to: 'paid', type: 'default' },
      { from: 'paid', to: 'yes', type: 'event_received' },
      { from: 'paid', to: 'no', type: 'timeout' },
    ],
  );
  const waiting = async () => {
    const next = await advance(runOf(definition), worldOf(definition), effectsOf());
    if (next.kind !== 'rest') throw new Error(next.kind);
    return next.run;
  };

  it('rests until its deadline, which is decided once no event before it can still come', async () => {
    const run = await waiting();
    expect(run).toMatchObject({ phase: 'wait', wakesAt: later(3600).toISOString() });
    const atDeadline = await advance(run, worldOf(definition, { now: later(3600) }), effectsOf());
    expect(atDeadline).toEqual({ kind: 'stay', until: later(3630) });
    const after = await advance(run, worldOf(definition, { now: later(3630) }), effectsOf());
    expect(after).toMatchObject({ kind: 'checkpoint', run: { step: 3, story: [{}, { branch: 'timeout' }, {}] } });
  });

  it('looks once more at its deadline', async () => {
    const effects = effectsOf({ findEvent: async () => ({ id: 'event_1', at: later(60) }) });
    const after = await advance(await waiting(), worldOf(definition, { now: later(9999) }), effects);
    expect(after).toMatchObject({ run: { dueAt: later(60).getTime() } });
    expect(after).toMatchObject({ run: { step: 2, story: [{}, { branch: 'event_received', event: 'event_1' }, {}] } });
  });

  it.each([
    [-6, false],
    [-5, true],
    [0, true],
    [3600, true],
    [3600.001, false],
  ])('counts an event by the time of its recording: %d seconds after it began', async (seconds, counts) =>
    expect(isAwaited(await waiting(), wait.config, later(seconds))).toBe(counts),
  );

  it('uses no event twice', async () => {
    const effects = effectsOf({ findEvent: async () => ({ id: 'event_1', at: later(60) }) });
    const after = await advance(await waiting(), worldOf(definition, { now: later(9999) }), effects);
    if (after.kind === 'stay') throw new Error(after.kind);
    expect([...usedEvents(after.run)]).toEqual(['event_start', 'event_1']);
  });
});

describe('a webhook', () => {
  const webhook = { key: 'w', type: 'webhook', config: { webhook_id: 'whk_1' } } as const;

  it('is called when the run is stored where it came to it, so that its event has one id', async () => {
    const definition = definitionOf([tag('a'), webhook]);
    const [effects, world] = [effectsOf(), worldOf(definition, { now: start })];
    const first = await advance(runOf(definition), world, effects);
    expect(first).toMatchObject({ kind: 'checkpoint', run: { step: 2 } });
    expect(effects.made).toEqual(['a']);
    if (first.kind !== 'checkpoint') throw new Error(first.kind);
    expect(await advance(first.run, world, effects, false)).toMatchObject({ kind: 'checkpoint' });
    expect(effects.made).toEqual(['a']);
    expect(await advance(first.run, world, effects)).toMatchObject({ kind: 'end' });
    expect(effects.made).toEqual(['a', 'w']);
  });
});

describe('a message', () => {
  const definition = definitionOf([mail('m')]);
  const send = (change: Partial<RunWorld>, run = runOf(definition)) =>
    advance(run, worldOf(definition, change), effectsOf());

  it('goes out when nothing is in the way', async () => expect(await send({})).toMatchObject({ kind: 'send' }));

  it('waits for the end of the quiet hours, and is due then', async () => {
    const quietHours = { from: '09:00', to: '12:00', zone: 'UTC' };
    const quiet = { head: { ...head, quietHours, maxDelay: '1 hour' } };
    const rest = await send(quiet);
    expect(rest).toMatchObject({ kind: 'rest', run: { phase: 'send', wakesAt: '2026-11-24T12:00:00.000Z' } });
    if (rest.kind !== 'rest') throw new Error(rest.kind);
    expect(await send({ ...quiet, now: new Date('2026-11-24T12:30:00Z') }, rest.run)).toMatchObject({ kind: 'send' });
    const late = await send({ ...quiet, now: new Date('2026-11-24T13:00:01Z') }, rest.run);
    expect(late).toMatchObject({ run: { story: [{}, { status: 'skipped', reason: 'too_late' }] } });
  });

  it('that something else holds back is late by the hours that are not quiet, night after night', async () => {
    const quietHours = { from: '12:00', to: '08:00', zone: 'UTC' };
    const capped = { head: { ...head, quietHours, maxDelay: '6 hours' } };
    let run = runOf(definition);
    const looks: string[] = [];
    // Tried while it is quiet and while it is not; in between something else prevents it.
    for (const time of ['24T10:00', '24T12:00', '25T09:00', '25T12:00', '25T13:00', '26T08:30']) {
      const next = await send({ ...capped, now: new Date(`2026-11-${time}:00Z`) }, run);
      looks.push(next.kind);
      if (next.kind === 'rest') run = next.run;
    }
    // Two hours late on the first day, six after the second.
    expect(looks).toEqual(['send', 'rest', 'send', 'rest', 'rest', 'end']);
  });

  it('waits for a place in the frequency cap, until it is too late for it, and then names the cap', async () => {
    const definition = definitionOf([mail('m')]);
    const capped = { ...head, maxDelay: '1 hour' };
    const [run, step] = [runOf(definition), mail('m') as Parameters<typeof waitingForPlace>[1]];
    const soon = waitingForPlace(run, step, capped, later(60));
    expect(soon).toMatchObject({ phase: 'send', wakesAt: later(60).toISOString() });
    expect(soon.story.at(-1)).toMatchObject({ status: 'waiting', reason: 'frequency_cap' });
    const waiting = waitingForPlace(run, step, capped, later(86_400));
    expect(waiting.wakesAt).toBe(later(3601).toISOString());
    expect(waitingForPlace(run, step, head, later(86_400)).wakesAt).toBe(later(86_400).toISOString());
    const at = (seconds: number, own: RunWorld['head'] = capped) =>
      advance(waiting, worldOf(definition, { head: own, now: later(seconds) }), effectsOf());
    const early = await at(3600);
    expect(early).toMatchObject({ kind: 'send' });
    // What it waited for is not said of a message that goes out.
    expect(early.kind === 'send' && early.run.story.at(-1)?.reason).toBeUndefined();
    expect(await at(3601)).toMatchObject({ run: { story: [{}, { status: 'skipped', reason: 'frequency_cap' }] } });
    const held = { ...capped, held: { reason: 'quota_exceeded', since: start.toISOString() } } as const;
    expect(await at(3601, held)).toMatchObject({ run: { story: [{}, { reason: 'quota_exceeded' }] } });
  });

  it('names what it waited for when it is too late', async () => {
    const held = { reason: 'quota_exceeded', since: start.toISOString() } as const;
    const late = await send({ head: { ...head, maxDelay: '1 hour', held }, now: later(3601) });
    expect(late).toMatchObject({ run: { story: [{}, { reason: 'quota_exceeded' }] } });
  });

  it('is left out for who left its topic, and the run goes on', async () => {
    const left = { ...person, preferences: { ...noPreferences, leftTags: ['kind:tips'] } };
    const skipped = await send({ head: { ...head, tag: 'kind:tips' }, person: left });
    expect(skipped).toMatchObject({ run: { status: 'completed', story: [{}, { reason: 'left_topic' }] } });
    expect(await send({ head: { ...head, tag: 'kind:news' }, person: left })).toMatchObject({ kind: 'send' });
  });

  it('that may be out is looked after before anything else is decided of it', async () => {
    const quietHours = { from: '09:00', to: '12:00', zone: 'UTC' };
    const claimed = { ...runOf(definition), phase: 'send', claimedAt: start.getTime() } as const;
    const next = await send({ head: { ...head, quietHours } }, claimed);
    expect(next).toMatchObject({ kind: 'send', run: { claimedAt: start.getTime() } });
  });

  it('that may be out stays unknown when the run ends', async () => {
    const claimed = { ...runOf(definition), phase: 'send', claimedAt: start.getTime() } as const;
    const next = await send({ leaves: 'unsubscribed' }, claimed);
    expect(next).toMatchObject({ run: { story: [{}, { outcome: 'unknown' }] } });
  });

  it('that was sent stays sent when it is the last step, which the claim outlives', () => {
    const claimed = { ...runOf(definition), phase: 'send', claimedAt: start.getTime() } as const;
    const atMail = {
      ...claimed,
      step: 1,
      story: [...claimed.story, { step: 1, status: 'running', startedAt: 0 } as const],
    };
    const run = completed(atMail, definition, later(1), { outcome: 'sent' });
    expect(run).toMatchObject({ status: 'completed', reason: 'end', claimedAt: undefined });
    expect(run.story.at(-1)).toMatchObject({ status: 'completed', outcome: 'sent' });
  });
});

it('is given up after ten failures over a day', () => {
  const triedSince = start.getTime();
  expect(isPoisoned({ tries: 10, triedSince }, later(86_399))).toBe(false);
  expect(isPoisoned({ tries: 9, triedSince }, later(86_400))).toBe(false);
  expect(isPoisoned({ tries: 10, triedSince }, later(86_400))).toBe(true);
});

describe('the counters', () => {
  it('come to the same moved and counted anew, and add up', async () => {
    const definition = definitionOf([tag('a'), wait, mail('m')]);
    const effects = effectsOf({ findEvent: async () => ({ id: 'event_1', at: later(60) }) });
    let run = runOf(definition);
    const states: (AutomationRun | null)[] = [null, run];
    for (const now of [start, later(9999)]) {
      const next = await advance(run, worldOf(definition, { now }), effects);
      if (next.kind === 'stay') throw new Error(next.kind);
      run = next.run;
      states.push(run);
    }
    const moves = states.slice(1).map((state, index) => movedTally(states[index] ?? null, state));
    expect(summed(moves)).toEqual(contributionOf(run));
    const over = await advance(run, worldOf(definition, { leaves: 'complained' }), effects);
    if (over.kind === 'stay') throw new Error(over.kind);
    expect(contributionOf(over.run)).toEqual({
      ...{ started: 1, 'ended.cancelled': 1, 'reason.complained': 1 },
      ...{ '0.entered': 1, '0.completed': 1, '1.entered': 1, '1.completed': 1 },
      ...{ '2.entered': 1, '2.completed': 1, '2.branch.event_received': 1, '3.entered': 1, '3.left': 1 },
    });
  });
});
