import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

type Given = Parameters<ClientWorld['resend']['automations']['create']>[0];

/** What the client's own types allow, with a step of each type that changes nothing of anybody's consent. */
const definition = ({ segmentId, topicId, templateId }: Record<'segmentId' | 'topicId' | 'templateId', string>) =>
  ({
    name: `Orders ${randomUUID().slice(0, 8)}`,
    steps: [
      { key: 'start', type: 'trigger', config: { eventName: 'order_placed' } },
      {
        key: 'big',
        type: 'condition',
        config: { type: 'rule', field: 'event.total', operator: 'gte', value: 10 },
      },
      {
        key: 'thanks',
        type: 'send_email',
        config: {
          template: { id: templateId, variables: { order: { var: 'event.id' } } },
          subject: 'Thank you',
          topicId,
        },
      },
      { key: 'paid', type: 'wait_for_event', config: { eventName: 'order_paid', timeout: '3 days' } },
      { key: 'vip', type: 'add_to_segment', config: { segmentId } },
      {
        key: 'name',
        type: 'contact_update',
        config: { firstName: { var: 'event.name' }, properties: { plan: 'pro' } },
      },
    ],
    connections: [
      { from: 'start', to: 'big' },
      { from: 'big', to: 'thanks', type: 'condition_met' },
      { from: 'thanks', to: 'paid' },
      { from: 'paid', to: 'vip', type: 'event_received' },
      { from: 'vip', to: 'name' },
    ],
  }) satisfies Given;

const given = async ({ resend }: ClientWorld) => {
  const name = randomUUID().slice(0, 8);
  const [segment, topic, template] = [
    await dataOf(resend.segments.create({ name })),
    await dataOf(resend.topics.create({ name, defaultSubscription: 'opt_in' })),
    await dataOf(resend.templates.create({ name, subject: 'Thank you', html: '<p>{{order}}</p>' })),
  ];
  return definition({ segmentId: segment.id, topicId: topic.id, templateId: template.id });
};

const created = async (world: ClientWorld) => (await dataOf(world.resend.automations.create(await given(world)))).id;

/** A run of one person, started by a call of the API. */
async function startedRun({ service, workspace, resend }: ClientWorld) {
  const address = `${randomUUID().slice(0, 8)}@example.net`;
  const rest = (path: string, body: object) =>
    call({ ...service, apiKey: workspace.apiKey }, 'POST', `/api/v1${path}`, { body });
  await rest('/subscribers', { email: address, double_opt_in: false });
  const { id } = await dataOf(
    resend.automations.create({
      ...{ name: 'Wait', status: 'enabled' },
      steps: [
        { key: 'start', type: 'trigger', config: { eventName: 'x' } },
        { key: 'rest', type: 'delay', config: { duration: '3 days' } },
      ],
      connections: [{ from: 'start', to: 'rest' }],
    }),
  );
  const run = await rest(`/automations/${id}/runs`, { email: address });
  expect(run.status).toBe(202);
  return { automationId: id, runId: String(run.body.id) };
}

export const automationScenarios: Scenarios = {
  'automations.create': async (world) => {
    const { resend } = world;
    const body = await given(world);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await dataOf(resend.automations.create(body, { headers }));
    expect(first).toEqual({ object: 'automation', id: expect.stringMatching(/^auto_/) });
    expect(await dataOf(resend.automations.create(body, { headers }))).toEqual(first);
    const refused = await refusalOf(
      resend.automations.create({
        ...{ name: 'X', connections: [{ from: 'start', to: 'gone' }] },
        steps: [...body.steps.slice(0, 1), { key: 'gone', type: 'contact_delete', config: {} }],
      }),
    );
    expect(refused).toEqual([422, expect.stringMatching(/^steps\[1\]\.type: .*no automation deletes people/)]);
  },
  'automations.get': async (world) => {
    const body = await given(world);
    const { id } = await dataOf(world.resend.automations.create(body));
    const shown = await dataOf(world.resend.automations.get(id));
    expect(shown).toMatchObject({ object: 'automation', id, name: body.name, status: 'disabled' });
    expect(shown.steps.map(({ type }) => type)).toEqual([
      ...['trigger', 'condition', 'send_email', 'wait_for_event', 'subscriber_update', 'subscriber_update'],
    ]);
    expect(shown.connections[0]).toEqual({ from: 'start', to: 'big', type: 'default' });
    expect((await refusalOf(world.resend.automations.get('x')))[0]).toBe(404);
  },
  'automations.list': async (world) => {
    const [first, second] = [await created(world), await created(world)];
    const page = await dataOf(world.resend.automations.list({ limit: 1 }));
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[second], true]);
    const next = await dataOf(world.resend.automations.list({ limit: 1, after: second, status: 'disabled' }));
    expect(next.data.map(({ id }) => id)).toEqual([first]);
    expect((await refusalOf(world.resend.automations.list({ before: second })))[0]).toBe(422);
  },
  'automations.update': async (world) => {
    const { resend } = world;
    const body = await given(world);
    const { id } = await dataOf(resend.automations.create(body));
    expect(await dataOf(resend.automations.update(id, { name: 'Other' }))).toEqual({ object: 'automation', id });
    const [trigger, , thanks] = body.steps;
    const steps = [trigger, thanks] as typeof body.steps;
    await dataOf(resend.automations.update(id, { steps, connections: [{ from: 'start', to: 'thanks' }] }));
    const shown = await dataOf(resend.automations.get(id));
    expect([shown.name, shown.steps.map(({ key }) => key)]).toEqual(['Other', ['start', 'thanks']]);
  },
  'automations.remove': async (world) => {
    const id = await created(world);
    expect(await dataOf(world.resend.automations.remove(id))).toEqual({ object: 'automation', id, deleted: true });
    expect((await refusalOf(world.resend.automations.remove(id)))[0]).toBe(404);
  },
  'automations.stop': async (world) => {
    const id = await created(world);
    expect(await dataOf(world.resend.automations.stop(id))).toEqual({ object: 'automation', id, status: 'disabled' });
  },
  'automations.duplicate': async (world) => {
    const id = await created(world);
    const copy = await dataOf(world.resend.automations.duplicate(id));
    expect(copy.id).not.toBe(id);
    const [one, other] = [await world.resend.automations.get(id), await world.resend.automations.get(copy.id)];
    expect(other.data?.steps).toEqual(one.data?.steps);
  },
  'automations.runs.list': async (world) => {
    const { automationId, runId } = await startedRun(world);
    const status = ['running', 'completed'] as const;
    const { data } = await dataOf(world.resend.automations.runs.list({ automationId, status: [...status] }));
    expect(data).toEqual([expect.objectContaining({ id: runId, status: 'running', completed_at: null })]);
  },
  'automations.runs.get': async (world) => {
    const given = await startedRun(world);
    const run = await dataOf(world.resend.automations.runs.get(given));
    expect(run).toMatchObject({ object: 'automation_run', id: given.runId, status: 'running' });
    expect((await refusalOf(world.resend.automations.runs.get({ ...given, runId: 'run_x' })))[0]).toBe(404);
  },
};
