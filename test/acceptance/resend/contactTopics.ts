import { randomUUID } from 'node:crypto';
import { newContact, someone, subscriberAt } from './contacts.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

async function newTopic({ resend }: ClientWorld): Promise<string> {
  const name = `Choice ${randomUUID().slice(0, 8)}`;
  return (await dataOf(resend.topics.create({ name, description: 'Monthly', defaultSubscription: 'opt_in' }))).id;
}

async function choicesOf({ resend }: ClientWorld, email: string, ids: readonly string[]) {
  const { data } = await dataOf(resend.contacts.topics.list({ email, limit: 100 }));
  return ids.map((id) => data.find((one) => one.id === id)?.subscription);
}

/** The names of the client's calls about what contacts receive. */
export const contactTopicScenarios: Scenarios = {
  'contacts.topics.list': async (world) => {
    const { topics } = world.resend.contacts;
    const email = await newContact(world);
    const [older, newer] = [await newTopic(world), await newTopic(world)];
    const first = await dataOf(topics.list({ email, limit: 1 }));
    expect(first).toEqual({
      ...{ object: 'list', has_more: true },
      data: [{ id: newer, name: expect.stringMatching(/^Choice /), description: 'Monthly', subscription: 'opt_in' }],
    });
    const next = await dataOf(topics.list({ id: email, limit: 1, after: newer }));
    expect(next.data[0]?.id).toBe(older);
    expect((await refusalOf(topics.list({ email: someone() })))[0]).toBe(404);
  },
  'contacts.topics.update': async (world) => {
    const { contacts } = world.resend;
    const email = await newContact(world);
    const [left, kept] = [await newTopic(world), await newTopic(world)];
    const topics = [{ id: left, subscription: 'opt_out' as const }];
    expect(await dataOf(contacts.topics.update({ email, topics }))).toEqual({ id: email });
    expect(await choicesOf(world, email, [left, kept])).toEqual(['opt_out', 'opt_in']);
    // Nobody is put back into a topic, neither here nor as a new contact.
    const back = [{ id: left, subscription: 'opt_in' as const }];
    expect((await refusalOf(contacts.topics.update({ email, topics: back })))[0]).toBe(409);
    expect((await refusalOf(contacts.create({ email, topics: back })))[0]).toBe(409);
    expect(await choicesOf(world, email, [left])).toEqual(['opt_out']);
    const wrong = await refusalOf(
      contacts.topics.update({ email, topics: [{ id: kept, subscription: 'out' as never }] }),
    );
    expect(wrong).toEqual([422, expect.stringMatching(/^\[0\]\.subscription: /)]);
    await asNewContact(world, left);
  },
};

async function asNewContact(world: ClientWorld, id: string): Promise<void> {
  const { contacts } = world.resend;
  const email = await newContact(world, { topics: [{ id, subscription: 'opt_out' }] });
  expect(await choicesOf(world, email, [id])).toEqual(['opt_out']);
  const nobody = someone();
  const unknown = [{ id: 'top_3v5c8r2m4n6p7s9t0wxy01k9zq', subscription: 'opt_in' as const }];
  const refused = await refusalOf(contacts.create({ email: nobody, topics: unknown }));
  expect(refused).toEqual([422, expect.stringMatching(/^topics\[0\]\.id: /)]);
  expect((await subscriberAt(world, nobody)).error.code).toBe('not_found');
}
