import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

/** The names that a new automation listens to, by its start and by a wait. */
async function listenedTo({ resend }: ClientWorld): Promise<string[]> {
  const [start, wait] = [`start_${randomUUID()}`, `wait_${randomUUID()}`];
  await dataOf(
    resend.automations.create({
      ...{ name: 'Listens', status: 'enabled', connections: [{ from: 'start', to: 'wait' }] },
      steps: [
        { key: 'start', type: 'trigger', config: { eventName: start } },
        { key: 'wait', type: 'wait_for_event', config: { eventName: wait } },
      ],
    }),
  );
  return [start, wait];
}

/** The names of the client's calls about events. */
export const eventScenarios: Scenarios = {
  'events.send': async ({ resend, service, workspace }) => {
    const email = `p${randomUUID()}@example.net`;
    await dataOf(resend.contacts.create({ email, properties: { double_opt_in: 'false' } }));
    const headers = { 'Idempotency-Key': email };
    const given = { event: 'visit', email, payload: { page: '/' } };
    expect(await dataOf(resend.events.send(given, { headers }))).toEqual({ object: 'event', event: 'visit' });
    expect(await dataOf(resend.events.send(given, { headers }))).toEqual({ object: 'event', event: 'visit' });
    await dataOf(resend.events.send({ event: 'visit', contactId: email }));
    const { body } = await call({ ...service, ...workspace }, 'GET', `/api/v1/events?email=${email}`);
    expect(body.data.map(({ data }: { data: object }) => data)).toEqual([{}, { page: '/' }]);
    // It creates no contact.
    const stranger = `p${randomUUID()}@example.net`;
    await dataOf(resend.events.send({ event: 'visit', email: stranger }));
    expect((await refusalOf(resend.contacts.get(stranger)))[0]).toBe(404);
    const byId = await refusalOf(resend.events.send({ event: 'visit', contactId: randomUUID() }));
    expect(byId).toEqual([422, expect.stringMatching(/^contact_id: /)]);
  },
  'events.create': async ({ resend }) => {
    const created = await dataOf(resend.events.create({ name: 'visit', schema: { page: 'string' } }));
    expect(created).toEqual({ object: 'event', id: expect.stringMatching(/^event_/), name: 'visit' });
    expect(await dataOf(resend.events.create({ name: 'visit' }))).toEqual(created);
    expect((await refusalOf(resend.events.create({ name: 'email.opened' })))[0]).toBe(422);
  },
  'events.list': async (world) => {
    const names = await listenedTo(world);
    const all = (await dataOf(world.resend.events.list({ limit: 100 }))).data.map(({ name }) => name);
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(names));
    const [first] = (await dataOf(world.resend.events.list({ limit: 1 }))).data;
    const next = await dataOf(world.resend.events.list({ limit: 1, after: first?.id ?? '' }));
    expect(next.data.map(({ name }) => name)).toEqual(all.slice(1, 2));
  },
  'events.get': async (world) => {
    const [name = ''] = await listenedTo(world);
    const event = await dataOf(world.resend.events.get(name));
    expect(event).toMatchObject({ object: 'event', name, schema: null });
    expect(await dataOf(world.resend.events.get(event.id))).toEqual(event);
    expect((await dataOf(world.resend.events.create({ name }))).id).toBe(event.id);
    expect((await refusalOf(world.resend.events.get('nobody_listens')))[0]).toBe(404);
  },
};
