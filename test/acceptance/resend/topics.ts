import { randomUUID } from 'node:crypto';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

const newTopic = async ({ resend }: ClientWorld): Promise<string> => {
  const name = `Topic ${randomUUID().slice(0, 8)}`;
  return (await dataOf(resend.topics.create({ name, description: 'Monthly', defaultSubscription: 'opt_in' }))).id;
};

/** The names of the client's calls about topics. */
export const topicScenarios: Scenarios = {
  'topics.create': async ({ resend }) => {
    const name = `Topic ${randomUUID().slice(0, 8)}`;
    const headers = { 'Idempotency-Key': name };
    const created = await dataOf(resend.topics.create({ name, defaultSubscription: 'opt_in' }, { headers }));
    expect(created).toEqual({ id: expect.stringMatching(/^top_/) });
    expect(await dataOf(resend.topics.create({ name, defaultSubscription: 'opt_in' }, { headers }))).toEqual(created);
    const twice = await refusalOf(resend.topics.create({ name, defaultSubscription: 'opt_in' }));
    expect(twice[0]).toBe(409);
    // People would be asked first: that is not supported, and never taken for the opposite.
    const out = await refusalOf(resend.topics.create({ name: 'Other', defaultSubscription: 'opt_out' }));
    expect(out).toEqual([422, expect.stringMatching(/^default_subscription: /)]);
  },
  'topics.get': async (world) => {
    const id = await newTopic(world);
    expect(await dataOf(world.resend.topics.get(id))).toEqual({
      ...{ id, name: expect.stringMatching(/^Topic /), description: 'Monthly', default_subscription: 'opt_in' },
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await refusalOf(world.resend.topics.get('x')))[0]).toBe(404);
  },
  'topics.list': async (world) => {
    const id = await newTopic(world);
    const { data } = await dataOf(world.resend.topics.list());
    expect(data[0]).toEqual(await dataOf(world.resend.topics.get(id)));
  },
  'topics.update': async (world) => {
    const { resend } = world;
    const id = await newTopic(world);
    expect(await dataOf(resend.topics.update({ id, name: 'Renamed' }))).toEqual({ id });
    expect(await dataOf(resend.topics.get(id))).toMatchObject({ name: 'Renamed', description: 'Monthly' });
    const moved = await refusalOf(resend.patch(`/topics/${id}`, { id: 'top_other', name: 'X' }));
    expect(moved).toEqual([422, expect.stringMatching(/^id: /)]);
  },
  'topics.remove': async (world) => {
    const id = await newTopic(world);
    expect(await dataOf(world.resend.topics.remove(id))).toEqual({ object: 'topic', id, deleted: true });
    expect((await refusalOf(world.resend.topics.remove(id)))[0]).toBe(404);
  },
};
