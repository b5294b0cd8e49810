import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { dataOf, refusalOf, type Scenarios } from './scenarios.ts';

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
};
