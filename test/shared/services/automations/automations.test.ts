import { createId } from '../../../../shared/domain/identifier.ts';
import { startTestTable } from '../../store/testTable.ts';
import { operatorContext } from '../context.ts';

let stop: () => Promise<void>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/platform/config.ts')),
  ...(await import('../../../../shared/services/automations/changeAutomations.ts')),
  ...(await import('../../../../shared/services/automations/endAutomations.ts')),
  ...(await import('../../../../shared/services/automations/readAutomations.ts')),
  ...(await import('../../../../shared/services/segments.ts')),
  ...(await import('../../../../shared/services/topics.ts')),
  ...(await import('../../../../shared/services/templates.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  store: await import('../../../../shared/store/automation/automations.ts'),
  listeners: await import('../../../../shared/store/automation/listeners.ts'),
  webhooks: await import('../../../../shared/store/webhook/webhooks.ts'),
  workspaces: await import('../../../../shared/store/workspace/workspaces.ts'),
});

beforeAll(async () => {
  ({ stop } = await startTestTable());
  verbs = await load();
});
afterAll(() => stop());

/** A workspace of its own for each test, which may send. */
async function newContext() {
  const made = await verbs.createWorkspace(operatorContext(), { name: 'Acme', plan: 'free', language: 'en' });
  return operatorContext(made.id);
}

const trigger = (config: object) => ({ key: 'start', type: 'trigger', config });
const exit = { key: 'end', type: 'exit' };
const tag = (name: string) => ({ key: 'tag', type: 'subscriber_update', config: { add_tags: [name] } });
const inRow = (...steps: readonly { readonly key: string }[]) => ({
  steps: [...steps],
  connections: steps.slice(1).map(({ key }, index) => ({ from: steps[index]?.key, to: key })),
});
const onEvent = (name = 'order_placed') => inRow(trigger({ event_name: name }), exit);

type Context = Awaited<ReturnType<typeof newContext>>;
const create = (context: Context, more: object = {}) =>
  verbs.createAutomation(context, { name: 'Orders', ...onEvent(), ...more } as never);
const update = (context: Context, id: string, change: object) =>
  verbs.updateAutomation(context, { id, ...change } as never);
const started = async ({ workspaceId }: Context, cause: string) =>
  (await verbs.listeners.automationsStartedBy(workspaceId, cause)).map(({ version, epoch }) => ({ version, epoch }));
const listened = async ({ workspaceId }: Context) => [...(await verbs.webhooks.readListeners(workspaceId)).listened];

describe('an automation', () => {
  it('is found by its event while it is enabled, in its newest version', async () => {
    const context = await newContext();
    const { id } = await create(context);
    expect(await started(context, 'event order_placed')).toEqual([]);
    await update(context, id, { status: 'enabled' });
    expect(await started(context, 'event order_placed')).toEqual([{ version: 1, epoch: 0 }]);
    await update(context, id, onEvent('order_paid'));
    expect(await started(context, 'event order_placed')).toEqual([]);
    expect(await started(context, 'event order_paid')).toEqual([{ version: 2, epoch: 0 }]);
    await update(context, id, { status: 'draining' });
    expect(await started(context, 'event order_paid')).toEqual([]);
  });

  it('refuses a change that is based on an earlier version, also of two at once, and names the newest', async () => {
    const context = await newContext();
    const { id } = await create(context);
    const based = (event: string, basedOn?: number) => update(context, id, { ...onEvent(event), basedOn });
    const both = await Promise.allSettled([based('a', 1), based('b', 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(based('c', 1)).rejects.toMatchObject({ code: 'conflict', details: { version: 2 } });
    expect((await verbs.getAutomation(context, { id, version: undefined })).version).toBe(2);
    expect([(await based('c', 2)).version, (await based('d')).version]).toEqual([3, 4]);
  });

  it('offers the events that active automations start by or wait for', async () => {
    const context = await newContext();
    await create(context, { ...onEvent('zeta'), status: 'enabled', goals: [{ event_name: 'alpha' }] });
    await create(context, onEvent('of_a_disabled_one'));
    expect(await verbs.listenedEvents(context)).toEqual(['alpha', 'zeta']);
  });

  it('is listened for in each version that may have runs, until they are ended', async () => {
    const context = await newContext();
    const { id } = await create(context, { status: 'enabled' });
    await update(context, id, onEvent('order_paid'));
    await update(context, id, { status: 'disabled' });
    expect((await listened(context)).sort()).toEqual(['event order_paid', 'event order_placed', 'left']);
    await verbs.stopAutomation(context, { id });
    expect(await listened(context)).toEqual([]);
  });

  it('has a new version with each change but of its name and status', async () => {
    const context = await newContext();
    const { id } = await create(context);
    const versionAfter = async (change: object) => (await update(context, id, change)).version;
    expect(await versionAfter({ name: 'Other', status: 'enabled' })).toBe(1);
    expect(await versionAfter({ max_delay: '24 hours' })).toBe(2);
    expect(await versionAfter({ max_delay: '24 hours' })).toBe(2);
    expect(await versionAfter(inRow(trigger({ event_name: 'order_placed' }), tag('vip'), exit))).toBe(3);
    expect(await versionAfter({ max_delay: null })).toBe(4);
    expect(await verbs.getAutomation(context, { id, version: 2 } as never)).toMatchObject({
      ...{ version: 2, max_delay: '24 hours' },
      steps: [{ key: 'start' }, { key: 'end' }],
    });
    await expect(verbs.getAutomation(context, { id, version: 5 } as never)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('keeps both of two changes at once', async () => {
    const context = await newContext();
    const { id } = await create(context);
    await Promise.all([
      update(context, id, { max_delay: '2 hours' }),
      update(context, id, { reentry: 'always' }),
      update(context, id, { status: 'enabled' }),
    ]);
    expect(await verbs.getAutomation(context, { id, version: undefined } as never)).toMatchObject({
      ...{ version: 3, max_delay: '2 hours', reentry: 'always', status: 'enabled' },
    });
    expect(await started(context, 'event order_placed')).toEqual([{ version: 3, epoch: 0 }]);
  });

  it('ends the runs of its epoch when it is stopped, and what is to be done stays due', async () => {
    const context = await newContext();
    const { id } = await create(context, { status: 'enabled' });
    expect(await verbs.stopAutomation(context, { id })).toEqual({ object: 'automation', id, status: 'disabled' });
    expect(await started(context, 'event order_placed')).toEqual([]);
    const due = (await verbs.store.listDueAutomations(new Date(), 100)).filter((head) => head.id === id);
    expect(due).toMatchObject([{ id, epoch: 1, jobs: { end: 2 } }]);
    const [head] = due;
    if (!head) throw new Error('It must be due.');
    await verbs.stopAutomation(context, { id });
    expect(await verbs.store.finishJob(head, 'end')).toBe(false);
    const again = await verbs.store.getAutomation(context.workspaceId, id);
    expect(again).toMatchObject({ epoch: 2, jobs: { end: 3 } });
    expect(again && (await verbs.store.finishJob(again, 'end'))).toBe(true);
    expect((await verbs.store.listDueAutomations(new Date(), 100)).filter((one) => one.id === id)).toEqual([]);
  });

  it('is gone when it is deleted, and its runs are to be ended', async () => {
    const context = await newContext();
    const { id } = await create(context, { status: 'enabled' });
    await verbs.deleteAutomation(context, { id });
    await expect(verbs.getAutomation(context, { id, version: undefined } as never)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await verbs.listAutomations(context, { limit: 10 } as never)).entries).toEqual([]);
    expect(await started(context, 'event order_placed')).toEqual([]);
    expect(await listened(context)).toEqual([]);
    const [head] = (await verbs.store.listDueAutomations(new Date(), 100)).filter((one) => one.id === id);
    expect(head).toMatchObject({ epoch: 1, jobs: { end: 2 }, deletedAt: expect.any(String) });
    expect(await verbs.store.getDeletedAutomation(context.workspaceId, id)).toMatchObject({ epoch: 1 });
  });

  it('is created once under an Idempotency-Key, and a workspace has 100', async () => {
    const context = await newContext();
    const once = { ...context, reservedId: createId('evt', new Date()) };
    const [first, second] = [await create(once), await create(once)];
    expect(second).toEqual(first);
    for (let count = 1; count < 100; count += 1) await create(context);
    const full = { code: 'validation_error', issues: [{ path: '', text: { en: expect.stringContaining('100') } }] };
    await expect(create(context)).rejects.toMatchObject(full);
    await verbs.deleteAutomation(context, { id: first.id });
    const { id } = await create(context);
    await expect(verbs.duplicateAutomation(context, { id } as never)).rejects.toMatchObject(full);
  });
});

describe('what an automation names', () => {
  const send = (config: object) =>
    inRow(trigger({ event_name: 'x' }), { key: 'mail', type: 'send_email', config } as never);
  const pathsOf = async (call: Promise<unknown>) =>
    call.then(
      () => [],
      (error: { issues?: readonly { path: string }[] }) => error.issues?.map(({ path }) => path),
    );

  it('must be there, and be able to send once it is enabled', async () => {
    const context = await newContext();
    const unknown = inRow(
      trigger({ source: 'segment_entered', segment_id: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy' }),
      { key: 'mail', type: 'send_email', config: { template: { id: 'tpl_x' }, tag: 'a:b' } } as never,
      { key: 'hook', type: 'webhook', config: { webhook_id: 'whk_x' } } as never,
    );
    expect(await pathsOf(create(context, { ...unknown, tag: 'c:d' }))).toEqual([
      'steps[0].config.segment_id',
      'steps[1].config.template.id',
      'steps[1].config.tag',
      'steps[2].config.webhook_id',
      'tag',
    ]);
    const message = send({ subject: 'Hello', text: 'Hello' });
    const { id } = await create(context, message);
    expect(await pathsOf(update(context, id, { status: 'enabled' }))).toEqual(['steps[1].config.from']);
    expect(await pathsOf(create(context, { ...message, status: 'enabled', from: 'a@unverified.example' }))).toEqual([
      'steps[1].config.from',
    ]);
  });

  it('has a template with a subject, or one of its own', async () => {
    const context = await newContext();
    const template = await verbs.createTemplate(context, { name: 'Hello', text: 'Hello' } as never);
    expect(await pathsOf(create(context, send({ template: { id: template.id } })))).toEqual([
      'steps[1].config.subject',
    ]);
    expect(await pathsOf(create(context, send({ template: { id: template.id, version: 2 } })))).toEqual([
      'steps[1].config.template.version',
    ]);
    expect(await pathsOf(create(context, send({ template: { id: template.id }, subject: 'Hello' })))).toEqual([]);
  });

  it('is not deleted under an automation that is active', async () => {
    const context = await newContext();
    const topic = await verbs.createTopic(context, { name: 'News' });
    const { id } = await create(context, {
      ...inRow(trigger({ source: 'manual' }), exit),
      ...{ topic_id: topic.id, status: 'enabled' },
    });
    const refused = { code: 'conflict', details: { automations: [{ id, name: 'Orders', status: 'enabled' }] } };
    await expect(verbs.deleteTopic(context, { id: topic.id })).rejects.toMatchObject(refused);
    await update(context, id, { status: 'disabled' });
    await verbs.deleteTopic(context, { id: topic.id });
  });

  it('may be mail with the setting alone, which the refusal names', async () => {
    const context = await newContext();
    const mail = { mail: 'opened', operator: 'exists' };
    const asks = { key: 'asks', type: 'condition', config: { all: [{ tag: 'vip' }, { not: mail }] } };
    const steps = [trigger({ event_name: 'x', filter_rule: mail }), asks, exit];
    const connections = [
      { from: 'start', to: 'asks' },
      { from: 'asks', to: 'end', type: 'condition_met' },
    ];
    const given = { steps, connections, goals: [{ rule: mail }] };
    const paths = ['goals[0].rule.mail', 'steps[0].config.filter_rule.mail', 'steps[1].config.all[1].not.mail'];
    expect(await pathsOf(create(context, given))).toEqual(paths);
    await expect(create(context, given)).rejects.toMatchObject({
      issues: paths.map((path) => ({ path, text: { en: expect.stringContaining('mailActivity') } })),
    });
    verbs.takeSettings({ MAIL_ACTIVITY: 'true' });
    const { id } = await create(context, given);
    verbs.takeSettings({});
    expect(await pathsOf(update(context, id, { status: 'enabled' }))).toEqual(paths);
    expect(await pathsOf(update(context, id, { name: 'Renamed' }))).toEqual([]);
  });

  it('may be a segment or a date, and a segment cannot be deleted under it', async () => {
    const context = await newContext();
    const segment = await verbs.createSegment(context, { name: 'All', rule: { tag: 'vip' } });
    const date = { source: 'date', field: 'birthday', at: '09:00', zone: 'Europe/Paris' };
    await create(context, { ...inRow(trigger(date), exit), status: 'enabled' });
    const entered = inRow(trigger({ source: 'segment_entered', segment_id: segment.id }), exit);
    const { id } = await create(context, { ...entered, status: 'enabled' });
    await expect(verbs.deleteSegment(context, { id: segment.id })).rejects.toMatchObject({ code: 'conflict' });
    await update(context, id, { status: 'disabled' });
    await verbs.deleteSegment(context, { id: segment.id });
    expect(await pathsOf(update(context, id, { status: 'enabled' }))).toEqual(['steps[0].config.segment_id']);
  });
});
