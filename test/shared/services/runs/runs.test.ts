import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { logger } from '../../../../shared/platform/logger.ts';
import { auditRuns } from '../../../acceptance/audit.ts';
import { contextOf } from '../context.ts';
import { recountOf } from './recount.ts';
import { chain, delay, mail, onEvent, type RunsWorld, startRunsWorld, tag, waitFor } from './world.ts';

let world: RunsWorld;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
});
afterEach(async () => {
  world.provider.state.answer = 'takes';
  const { Items = [] } = await world.modules.documents.send(
    new ScanCommand({ TableName: 'test', ConsistentRead: true }),
  );
  expect(auditRuns(Items)).toEqual([]);
});
afterAll(() => world.stop());

const started = async (head: Awaited<ReturnType<RunsWorld['automation']>>, event: string, data = {}) => {
  const email = await world.someone();
  await world.record(email, event, data);
  await world.drain();
  await world.drain();
  return { email, run: async () => (await world.runsOf(head, email))[0] };
};

/** Changes a person, whatever the rules of a call say. */
const changed = (email: string, values: object, more: object = {}) =>
  world.modules.changePerson({ workspaceId: world.workspaceId, email }, 'api', world.modules.now(), ({ person }) => ({
    person: { ...person, ...more, subscriber: person.subscriber && { ...person.subscriber, ...values } },
    result: undefined,
  }));

describe('a message without an answer', () => {
  it('is not sent again, and its run goes on when the provider tells that it took it', async () => {
    const head = await world.automation([onEvent('a1'), mail('m'), tag('t')], chain('start', 'm', 't'));
    world.provider.state.answer = 'takes in silence';
    const { email, run } = await started(head, 'a1');
    expect(await run()).toMatchObject({ status: 'running', step: 'm' });
    await world.pass(200);
    expect(await run()).toMatchObject({ status: 'completed', steps: [{}, { output: { outcome: 'sent' } }, {}] });
    expect(world.taken(email)).toBe(1);
  }, 60_000);

  it('is unknown after a day without proof, and corrected by a late event', async () => {
    const head = await world.automation([onEvent('a2'), mail('m')], chain('start', 'm'));
    world.provider.state.answer = 'takes in silence';
    const { email, run } = await started(head, 'a2');
    world.provider.state.answer = 'takes';
    for (let hours = 0; hours < 26; hours += 1) await world.advance(3600);
    expect(await run()).toMatchObject({ status: 'completed', steps: [{}, { output: { outcome: 'unknown' } }] });
    await world.tellTaken();
    await world.drain();
    expect(await run()).toMatchObject({ steps: [{}, { output: { outcome: 'sent' } }] });
    expect(world.taken(email)).toBe(1);
    const { moved, counted } = await recountOf(world, head.id);
    expect(moved).toEqual(counted);
  }, 60_000);

  it('that the provider is too busy to take waits, and goes out once', async () => {
    const head = await world.automation([onEvent('a3'), mail('m')], chain('start', 'm'));
    world.provider.state.answer = 'is busy';
    const { email, run } = await started(head, 'a3');
    expect(await run()).toMatchObject({ status: 'running' });
    world.provider.state.answer = 'takes';
    await world.pass(600);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  }, 60_000);

  it.each([
    ['end', 'failed'],
    ['continue', 'completed'],
  ])('that is refused ends the run or not: %s', async (on_failure, status) => {
    const head = await world.automation([onEvent(`a4${on_failure}`), mail('m', { on_failure })], chain('start', 'm'));
    world.provider.state.answer = 'refuses';
    const { run } = await started(head, `a4${on_failure}`);
    expect(await run()).toMatchObject({ status, steps: [{}, { status: 'failed' }] });
  });

  it('without a value that it needs ends the run', async () => {
    const head = await world.automation(
      [onEvent('a5'), mail('m', { text: 'Order {{event.id}}' })],
      chain('start', 'm'),
    );
    expect(await (await started(head, 'a5', { id: 7 })).run()).toMatchObject({ status: 'completed' });
    expect(await (await started(head, 'a5')).run()).toMatchObject({ status: 'failed', reason: 'missing_variable' });
  });
});

describe('what ends a run', () => {
  it.each([
    ['unsubscribe', 'unsubscribed'],
    ['bounce', 'bounced'],
    ['complaint', 'complained'],
  ] as const)(
    'by %s: it ends at once, and sends nothing more',
    async (reason, ended) => {
      const head = await world.automation(
        [onEvent(`b${reason}`), delay('d', '1 hour'), mail('m')],
        chain('start', 'd', 'm'),
      );
      const { email, run } = await started(head, `b${reason}`);
      await world.modules.suppress(world.workspaceId, email, reason, world.modules.now());
      await world.drain();
      expect(await run()).toMatchObject({ status: 'cancelled', reason: ended });
      await world.pass(2 * 3600, 600);
      expect(world.taken(email)).toBe(0);
    },
    60_000,
  );

  it('stops every run of an automation', async () => {
    const head = await world.automation([onEvent('b4'), delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const [one, other] = [await started(head, 'b4'), await started(head, 'b4')];
    await world.modules.stopAutomation(contextOf(world.workspaceId), { id: head.id } as never);
    await world.drain();
    for (const { run } of [one, other]) expect(await run()).toMatchObject({ status: 'cancelled', reason: 'stopped' });
    await world.pass(2 * 3600, 600);
    expect(world.taken(one.email) + world.taken(other.email)).toBe(0);
    const stats = await world.stats(head);
    expect(stats.runs).toEqual({ started: 2, running: 0, completed: 0, cancelled: 2, failed: 0 });
  }, 60_000);

  it('disables it: runs rest, and go on when it is enabled again', async () => {
    const head = await world.automation([onEvent('b5'), delay('d', '30 minutes'), mail('m')], chain('start', 'd', 'm'));
    const { email, run } = await started(head, 'b5');
    const set = (status: string) =>
      world.modules.updateAutomation(contextOf(world.workspaceId), { id: head.id, status } as never);
    await set('disabled');
    await world.pass(2 * 3600, 600);
    expect(await run()).toMatchObject({ status: 'running', step: 'd' });
    await set('enabled');
    await world.drain();
    await world.drain();
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  }, 60_000);

  it('cancels one, twice to the same effect', async () => {
    const head = await world.automation([onEvent('b6'), waitFor('w', 'x', '1 hour')], chain('start', 'w'));
    const { run } = await started(head, 'b6');
    const input = { id: head.id, runId: (await run())?.id };
    for (const _ of [1, 2])
      expect(await world.modules.cancelAutomationRun(contextOf(world.workspaceId), input as never)).toMatchObject({
        reason: 'requested',
      });
  });
});

describe('a person who leaves', () => {
  const manual = { key: 'start', type: 'trigger', config: { source: 'manual' } } as const;
  const startedBy = async (email: string, head: Awaited<ReturnType<RunsWorld['automation']>>) => {
    await world.modules.startAutomationRun({ ...contextOf(world.workspaceId), now: world.modules.now() }, {
      ...{ id: head.id, email },
    } as never);
    await world.drain();
    return async () => (await world.runsOf(head, email))[0];
  };

  it('ends the runs of an automation that only calls start', async () => {
    const head = await world.automation([manual, delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const email = await world.someone();
    const run = await startedBy(email, head);
    await world.modules.suppress(world.workspaceId, email, 'unsubscribe', world.modules.now());
    await world.drain();
    expect(await run()).toMatchObject({ status: 'cancelled', reason: 'unsubscribed' });
  });

  it('and comes back before that was acted on: the runs of before end, and later ones go on', async () => {
    const head = await world.automation([manual, delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const other = await world.automation([manual, delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const email = await world.someone();
    const before = await startedBy(email, head);
    world.move(1);
    const { modules, workspaceId } = world;
    await modules.suppress(workspaceId, email, 'unsubscribe', modules.now());
    await changed(email, { status: 'subscribed' }, { suppression: null });
    world.move(1);
    const after = await startedBy(email, other);
    await world.drain();
    expect(await before()).toMatchObject({ status: 'cancelled', reason: 'unsubscribed' });
    expect(await after()).toMatchObject({ status: 'running' });
  });
});

describe('a run that is late', () => {
  const triesOf = async (head: Awaited<ReturnType<RunsWorld['automation']>>, email: string) => {
    const [shown] = await world.runsOf(head, email);
    const run = await world.modules.getRun({ ...head, automationId: head.id, id: shown?.id ?? '' });
    return run?.tries;
  };

  it('has no failures while its message waits in a queue', async () => {
    const head = await world.automation([onEvent('l1'), delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const { email, run } = await started(head, 'l1');
    world.move(2 * 3600);
    for (let looks = 0; looks < 30; looks += 1) {
      await world.modules.sweepAutomations(world.modules.now());
      world.move(3601);
    }
    expect(await triesOf(head, email)).toBe(0);
    await world.drain();
    await world.pass(100);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  }, 60_000);

  it('is looked for after ever longer pauses', async () => {
    const head = await world.automation([onEvent('l2'), delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const { email, run } = await started(head, 'l2');
    world.move(3600);
    const queued: number[] = [];
    for (let minutes = 0; minutes < 180; minutes += 1) {
      world.move(60);
      const [shown] = await world.runsOf(head, email);
      const before = (await world.modules.getItem(
        world.modules.runKey(world.workspaceId, head.id, shown?.id ?? ''),
      )) as { due_sk: string };
      await world.modules.sweepAutomations(world.modules.now());
      const after = (await world.modules.getItem(
        world.modules.runKey(world.workspaceId, head.id, shown?.id ?? ''),
      )) as { due_sk: string };
      if (before.due_sk !== after.due_sk) queued.push(minutes);
    }
    const pauses = queued.slice(1).map((at, index) => at - (queued[index] ?? 0));
    expect(pauses.length).toBeGreaterThan(3);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(pauses.at(-1)).toBeGreaterThan(30);
    await world.drain();
    await world.pass(100);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  }, 60_000);
});

describe('the waking of runs', () => {
  it('begins anew for a later request, although an earlier one had come to a run', async () => {
    const { modules, workspaceId } = world;
    const head = await world.automation([onEvent('j1'), delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'));
    const { email, run } = await started(head, 'j1');
    const jobs = async () => (await modules.heads.getAutomation(workspaceId, head.id))?.jobs;
    const ask = async () => {
      const known = await modules.heads.getAutomation(workspaceId, head.id);
      if (known) await modules.heads.askForWake(known, modules.now());
    };
    world.move(3601);
    await ask();
    const asked = (await jobs())?.wake ?? 0;
    await ask();
    const names = { workspace_id: workspaceId, automation_id: head.id };
    await world.handle({ kind: 'jobs', ...names, woken: { after: (await run())?.id ?? '', asked } });
    expect(await jobs()).toEqual({});
    await world.drain();
    expect(world.taken(email)).toBe(1);
  });
});

describe('the claim of a message', () => {
  it('is refused when another worker has put the run off since it was read: it would be looked for too late', async () => {
    const { modules, workspaceId } = world;
    const head = await world.automation([onEvent('c1'), mail('m')], chain('start', 'm'));
    const email = await world.someone();
    const { id } = await world.record(email, 'c1');
    await world.handle({ kind: 'event', workspace_id: workspaceId, email, event_id: id ?? '' });
    const [shown] = await world.runsOf(head, email);
    const read = async () => {
      const run = await modules.getRun({ workspaceId, automationId: head.id, id: shown?.id ?? '' });
      if (!run) throw new Error('There is no run.');
      return run;
    };
    const definition = (await modules.heads.getVersion(workspaceId, head.id, 1))?.definition;
    if (!definition) throw new Error('There is no version.');
    const claim = async (run: Awaited<ReturnType<typeof read>>) => {
      const now = modules.now();
      const claimed = { ...run, phase: 'send', claimedAt: now.getTime(), seq: run.seq + 1, lookAt: undefined } as const;
      return modules.moveRun(run, claimed, definition, now);
    };
    const before = await read();
    await modules.putOffRun(before, new Date(modules.now().getTime() + 3_600_000));
    expect(await claim(before)).toBe(false);
    expect(await claim(await read())).toBe(true);
    const soon = await read();
    expect(soon.lookAt?.getTime()).toBeLessThanOrEqual(modules.now().getTime() + 90_000);
  });
});

describe('a step after a message', () => {
  it('reads the person as a step before the message changed them', async () => {
    const vip = { key: 'vip', type: 'condition', config: { tag: 'u' } } as const;
    const head = await world.automation(
      [onEvent('s1'), tag('u'), mail('m'), vip, tag('yes'), tag('no')],
      [
        ...chain('start', 'u', 'm', 'vip'),
        { from: 'vip', to: 'yes', type: 'condition_met' },
        { from: 'vip', to: 'no', type: 'condition_not_met' },
      ],
    );
    const { run } = await started(head, 's1');
    expect((await run())?.steps.map(({ key }) => key)).toEqual(['start', 'u', 'm', 'vip', 'yes']);
  });
});

describe('a step that cannot be taken', () => {
  it('is failed, and the run goes on', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `old${index}`);
    const head = await world.automation(
      [onEvent('f1'), { key: 'u', type: 'subscriber_update', config: { add_tags: ['one-more'] } }, mail('m')],
      chain('start', 'u', 'm'),
    );
    const email = await world.someone();
    await changed(email, { tags });
    await world.record(email, 'f1');
    await world.drain();
    await world.drain();
    expect((await world.runsOf(head, email))[0]).toMatchObject({
      ...{ status: 'completed', steps: [{}, { status: 'failed' }, { status: 'completed' }] },
    });
  });
});

describe('a hold', () => {
  const gone = { template: { id: 'tpl_01k9zs0a6d4b8e2f5g7h1j3k9m' }, subject: undefined, text: undefined };

  it('by one step is not ended by the message of another', async () => {
    const head = await world.automation([onEvent('h1'), mail('ok'), mail('bad', gone)], chain('start', 'ok', 'bad'));
    const held = async () => (await world.modules.heads.getAutomation(world.workspaceId, head.id))?.held;
    await started(head, 'h1');
    expect(await held()).toMatchObject({ reason: 'template_deleted', step: 'bad', version: 1 });
    const since = (await held())?.since;
    world.move(900);
    const other = await started(head, 'h1');
    expect(world.taken(other.email)).toBe(1);
    expect(await held()).toMatchObject({ reason: 'template_deleted', since });
  });

  it('names that the provider refuses the account, and ends with the next message', async () => {
    const head = await world.automation([onEvent('h2'), mail('m')], chain('start', 'm'));
    const held = async () => (await world.modules.heads.getAutomation(world.workspaceId, head.id))?.held ?? null;
    world.provider.state.answer = 'refuses the account';
    const { email, run } = await started(head, 'h2');
    expect(await held()).toMatchObject({ reason: 'provider_refuses' });
    await world.pass(700);
    world.provider.state.answer = 'takes';
    await world.pass(3700);
    expect(await held()).toBeNull();
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  }, 60_000);
});

describe('a run that is ended while the provider has its message', () => {
  it('says that the message is out', async () => {
    const head = await world.automation([onEvent('e1'), mail('m'), tag('t')], chain('start', 'm', 't'));
    const email = await world.someone();
    world.provider.state.onTaken = async () => {
      world.provider.state.onTaken = async () => {};
      const [run] = await world.runsOf(head, email);
      await world.modules.cancelAutomationRun(contextOf(world.workspaceId), { id: head.id, runId: run?.id } as never);
    };
    await world.record(email, 'e1');
    await world.drain();
    await world.drain();
    expect((await world.runsOf(head, email))[0]).toMatchObject({
      ...{ status: 'cancelled', reason: 'requested', steps: [{}, { output: { outcome: 'sent' } }] },
    });
    const { moved, counted } = await recountOf(world, head.id);
    expect(moved).toEqual(counted);
  });
});

describe('a change of a person', () => {
  it('starts a run, and a loop of runs ends at five', async () => {
    const at = { source: 'tag_added', tag: 'ping' } as const;
    const back = { source: 'tag_added', tag: 'pong' } as const;
    const turn = (key: string, add: string, remove: string) =>
      ({ key, type: 'subscriber_update', config: { add_tags: [add], remove_tags: [remove] } }) as const;
    const one = await world.automation(
      [{ key: 'start', type: 'trigger', config: at }, turn('u', 'pong', 'ping')],
      chain('start', 'u'),
    );
    const other = await world.automation(
      [{ key: 'start', type: 'trigger', config: back }, turn('u', 'ping', 'pong')],
      chain('start', 'u'),
    );
    const email = await world.someone();
    await world.modules.changePerson(
      { workspaceId: world.workspaceId, email },
      'api',
      world.modules.now(),
      ({ person }) => {
        const { subscriber } = person;
        return {
          person: subscriber ? { ...person, subscriber: { ...subscriber, tags: ['ping'] } } : person,
          result: null,
        };
      },
    );
    for (let turns = 0; turns < 20; turns += 1) await world.drain();
    const [ofOne, ofOther] = [await world.stats(one), await world.stats(other)];
    expect(ofOne.runs.started + ofOther.runs.started).toBe(6);
    expect({ ...ofOne.not_started, ...ofOther.not_started }).toEqual({ loop: 1 });
  }, 60_000);
});

describe('a start', () => {
  it('is one run, however often its event comes, and one open run at a time', async () => {
    const head = await world.automation([onEvent('c1'), delay('d', '1 hour')], chain('start', 'd'));
    const { email } = await started(head, 'c1');
    for (const message of [...world.handled]) await world.handle(message);
    await world.record(email, 'c1');
    await world.drain();
    expect(await world.runsOf(head, email)).toHaveLength(1);
    expect((await world.stats(head)).not_started).toEqual({ already_running: 1 });
  });

  it('has a run for each value of its key', async () => {
    const keyed = { run_key: 'event.order', reentry: 'once' } as const;
    const head = await world.automation([onEvent('c2'), delay('d', '1 hour')], chain('start', 'd'), keyed);
    const { email } = await started(head, 'c2', { order: 1 });
    for (const order of [1, 2]) await world.record(email, 'c2', { order });
    await world.drain();
    expect(await world.runsOf(head, email)).toHaveLength(2);
  });
});
