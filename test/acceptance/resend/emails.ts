import { eventually } from '../client.ts';
import { received } from '../inbox.ts';
import { type ClientWorld, dataOf, inAnHour, type Scenarios } from './scenarios.ts';

const messageIn = ({ workspace }: ClientWorld, to: string) => ({
  from: `Acme <hello@${workspace.domain}>`,
  to,
  subject: 'Hello',
  text: 'Hello',
});

async function send(world: ClientWorld, name: 'send' | 'create'): Promise<void> {
  const { resend, service } = world;
  const to = `${name}@example.net`;
  const options = { idempotencyKey: `order-${name}` };
  const message = { ...messageIn(world, to), replyTo: 'help@example.net', tags: [{ name: 'kind', value: 'order' }] };
  const sent = await dataOf(resend.emails[name](message, options));
  expect(Object.keys(sent)).toEqual(['id']);
  expect((await received(service, to)).mail.replyTo?.text).toBe('help@example.net');
  const again = await resend.emails[name](message, options);
  expect([again.data, again.headers?.['idempotent-replay']]).toEqual([sent, 'true']);
}

async function sendBatch(world: ClientWorld, name: 'send' | 'create'): Promise<void> {
  const { resend } = world;
  const message = messageIn(world, `batch-${name}@example.net`);
  const strict = await dataOf(resend.batch[name]([message, message]));
  expect(strict).toEqual({ data: [{ id: expect.any(String) }, { id: expect.any(String) }] });
  const mixed = await dataOf(
    resend.batch[name]([{ ...message, to: 'no' }, message], { batchValidation: 'permissive' }),
  );
  expect(mixed).toEqual({
    data: [{ id: expect.any(String) }],
    errors: [{ index: 0, message: expect.stringContaining('to') }],
  });
}

async function scheduled(world: ClientWorld): Promise<string> {
  const message = { ...messageIn(world, 'later@example.net'), scheduledAt: inAnHour() };
  return (await dataOf(world.resend.emails.send(message))).id;
}

/** The names of the client's calls about emails. */
export const emailScenarios: Scenarios = {
  'emails.send': (world) => send(world, 'send'),
  'emails.create': (world) => send(world, 'create'),
  'batch.send': (world) => sendBatch(world, 'send'),
  'batch.create': (world) => sendBatch(world, 'create'),
  'emails.get': async (world) => {
    const { resend } = world;
    const message = messageIn(world, 'shown@example.net');
    const { id } = await dataOf(resend.emails.send({ ...message, tags: [{ name: 'kind', value: 'order' }] }));
    const shown = await eventually(async () => {
      const data = await dataOf(resend.emails.get(id));
      return data.last_event === 'delivered' && data;
    });
    const { from, subject } = message;
    expect(shown).toEqual({
      ...{ object: 'email', id, from, to: ['shown@example.net'], cc: [], bcc: [], reply_to: [], subject },
      ...{
        last_event: 'delivered',
        scheduled_at: null,
        created_at: expect.stringMatching(/Z$/),
        html: null,
        text: null,
      },
      tags: [{ name: 'kind', value: 'order' }],
    });
  },
  'emails.list': async (world) => {
    const { resend } = world;
    const ids: string[] = [];
    // The ids of one batch begin with the same moment.
    const message = messageIn(world, 'listed@example.net');
    const { data } = await dataOf(resend.batch.send(Array.from({ length: 3 }, () => message)));
    ids.push(...data.map(({ id }) => id), await scheduled(world));
    const newest = await eventually(async () => {
      const page = await dataOf(resend.emails.list({ limit: 100 }));
      return ids.every((id) => page.data.some((entry) => entry.id === id)) && page;
    });
    expect(newest.data.find(({ id }) => id === ids[3])).toEqual({
      ...{ id: ids[3], from: message.from, to: ['later@example.net'], cc: [], bcc: [], reply_to: [], subject: 'Hello' },
      ...{ last_event: 'scheduled', scheduled_at: expect.any(String), created_at: expect.any(String) },
    });
    const listed: string[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await dataOf(resend.emails.list({ limit: 2, ...(after && { after }) }));
      listed.push(...page.data.map(({ id }) => id));
      expect(page.data.length).toBeLessThanOrEqual(2);
      [after, more] = [page.data.at(-1)?.id, page.has_more];
    }
    expect(listed).toEqual(newest.data.map(({ id }) => id));
  },
  'emails.update': async (world) => {
    const id = await scheduled(world);
    const scheduledAt = new Date(Date.now() + 7_200_000).toISOString();
    expect(await dataOf(world.resend.emails.update({ id, scheduledAt }))).toEqual({ object: 'email', id });
    expect(await dataOf(world.resend.emails.get(id))).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: scheduledAt,
    });
  },
  'emails.cancel': async (world) => {
    const id = await scheduled(world);
    expect(await dataOf(world.resend.emails.cancel(id))).toEqual({ object: 'email', id });
    expect(await dataOf(world.resend.emails.get(id))).toMatchObject({ last_event: 'canceled' });
  },
};
