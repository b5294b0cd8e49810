import { eventually } from '../client.ts';
import { eventOf, type ReceivedRequest, type Receiver, startReceiver } from '../receiver.ts';
import { newContact } from './contacts.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

const events = ['contact.created', 'contact.deleted', 'email.bounced'] as const;

/** All that both the client and the service have. */
const sharedEvents = [
  ...([
    'contact.created',
    'contact.updated',
    'contact.deleted',
    'contact.topics.updated',
    'suppression.added',
  ] as const),
  ...(['email.scheduled', 'email.sent', 'email.delivered', 'email.delivery_delayed', 'email.opened'] as const),
  ...(['email.clicked', 'email.bounced', 'email.complained', 'email.failed'] as const),
];

/** Tries a call with a webhook of its own. */
const withWebhook =
  (attempt: (world: ClientWorld, webhook: { id: string; secret: string; receiver: Receiver }) => Promise<void>) =>
  async (world: ClientWorld): Promise<void> => {
    const receiver = await startReceiver();
    const given = { endpoint: receiver.url, events: [...events] };
    const { id, signing_secret: secret } = await dataOf(world.resend.webhooks.create(given));
    try {
      await attempt(world, { id, secret, receiver });
    } finally {
      await world.resend.webhooks.remove(id);
      await receiver.stop();
    }
  };

async function delivered(world: ClientWorld, receiver: Receiver): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await newContact(world);
  return eventually(async () => receiver.requests[before]);
}

const headersOf = ({ headers }: ReceivedRequest) => ({
  id: String(headers['webhook-id']),
  timestamp: String(headers['webhook-timestamp']),
  signature: String(headers['webhook-signature']),
});

/** The log with its one entry, once that is delivered. */
async function firstEvent(world: ClientWorld, webhookId: string, receiver: Receiver) {
  await delivered(world, receiver);
  return eventually(async () => {
    const { data } = await dataOf(world.resend.webhooks.events.list({ webhookId }));
    return data[0]?.status === 'success' && data[0];
  });
}

/** The names of the client's calls about webhooks. */
export const webhookScenarios: Scenarios = {
  'webhooks.create': async ({ resend }) => {
    const endpoint = 'http://127.0.0.1:9/hook';
    const created = await dataOf(resend.webhooks.create({ endpoint, events: [...events] }));
    expect(created).toEqual({
      ...{ object: 'webhook', id: expect.stringMatching(/^whk_/), signing_secret: expect.stringMatching(/^whsec_/) },
    });
    await resend.webhooks.remove(created.id);
    const wrong = await refusalOf(resend.webhooks.create({ endpoint: 'nowhere', events: ['email.received'] }));
    expect(wrong).toEqual([422, expect.stringMatching(/endpoint: .+; events\[0\]: /)]);
  },
  'webhooks.get': withWebhook(async ({ resend }, { id, secret, receiver }) => {
    expect(await dataOf(resend.webhooks.get(id))).toEqual({
      ...{ object: 'webhook', id, created_at: expect.stringMatching(/Z$/), status: 'enabled', endpoint: receiver.url },
      ...{ events: [...events], signing_secret: secret },
    });
  }),
  'webhooks.list': withWebhook(async ({ resend }, { id, receiver }) => {
    const page = await dataOf(resend.webhooks.list({ limit: 1 }));
    const created_at = expect.stringMatching(/Z$/);
    expect(page).toEqual({
      ...{ object: 'list', has_more: false },
      data: [{ id, created_at, status: 'enabled', endpoint: receiver.url, events: [...events] }],
    });
    expect((await refusalOf(resend.webhooks.list({ after: 'x' })))[0]).toBe(422);
  }),
  'webhooks.update': withWebhook(async ({ resend }, { id }) => {
    const change = {
      ...{ endpoint: 'http://127.0.0.1:10/', events: ['email.delivered' as const], status: 'disabled' as const },
    };
    expect(await dataOf(resend.webhooks.update(id, change))).toEqual({ object: 'webhook', id });
    expect(await dataOf(resend.webhooks.get(id))).toMatchObject(change);
    await dataOf(resend.webhooks.update(id, { status: 'enabled', events: sharedEvents }));
    const now = await dataOf(resend.webhooks.get(id));
    expect([now.status, now.endpoint, now.events?.toSorted()]).toEqual([
      ...['enabled', change.endpoint, sharedEvents.toSorted()],
    ]);
    // What only the service has keeps its name, and goes both ways.
    await dataOf(resend.webhooks.update(id, { events: ['campaign.started' as never] }));
    expect((await dataOf(resend.webhooks.get(id))).events).toEqual(['campaign.started']);
    const wrong = await refusalOf(resend.webhooks.update(id, { status: 'paused' as never }));
    expect(wrong).toEqual([422, expect.stringMatching(/^status: /)]);
  }),
  'webhooks.remove': withWebhook(async ({ resend }, { id }) => {
    expect(await dataOf(resend.webhooks.remove(id))).toEqual({ object: 'webhook', id, deleted: true });
    expect((await refusalOf(resend.webhooks.get(id)))[0]).toBe(404);
  }),
  'webhooks.verify': withWebhook(async (world, { secret, receiver }) => {
    const { webhooks } = world.resend;
    const request = await delivered(world, receiver);
    const given = { payload: request.body, headers: headersOf(request), webhookSecret: secret };
    expect(webhooks.verify(given)).toEqual(eventOf(request));
    expect(eventOf(request).type).toBe('subscriber.created');
    expect(() => webhooks.verify({ ...given, payload: request.body.replace('created', 'deleted') })).toThrow();
    expect(() =>
      webhooks.verify({ ...given, webhookSecret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    ).toThrow();
  }),
  'webhooks.rotateSigningSecret': withWebhook(async (world, { id, secret, receiver }) => {
    const { webhooks } = world.resend;
    const rotated = await dataOf(webhooks.rotateSigningSecret(id));
    expect(rotated).toEqual({ object: 'webhook', id, signing_secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.signing_secret).not.toBe(secret);
    const request = await delivered(world, receiver);
    for (const webhookSecret of [secret, rotated.signing_secret])
      expect(webhooks.verify({ payload: request.body, headers: headersOf(request), webhookSecret })).toBeDefined();
  }),
  'webhooks.events.list': withWebhook(async (world, { id: webhookId, receiver }) => {
    const event = await firstEvent(world, webhookId, receiver);
    expect(event).toEqual({
      ...{ id: expect.stringMatching(/^whd_/), type: 'contact.created', status: 'success' },
      created_at: expect.stringMatching(/Z$/),
    });
    const after = await dataOf(world.resend.webhooks.events.list({ webhookId, after: event.id }));
    expect(after).toEqual({ object: 'list', has_more: false, data: [] });
  }),
  'webhooks.events.get': withWebhook(async (world, { id: webhookId, receiver }) => {
    const { id: eventId } = await firstEvent(world, webhookId, receiver);
    const shown = await dataOf(world.resend.webhooks.events.get({ webhookId, eventId }));
    const [request] = receiver.requests;
    expect(shown).toEqual({
      ...{ object: 'webhook_event', id: eventId, type: 'contact.created', status: 'success', next_attempt_at: null },
      ...{ created_at: expect.stringMatching(/Z$/), payload: JSON.parse(request?.body ?? '') },
    });
  }),
  'webhooks.events.replay': withWebhook(async (world, { id: webhookId, receiver }) => {
    const { id: eventId } = await firstEvent(world, webhookId, receiver);
    const replayed = await dataOf(world.resend.webhooks.events.replay({ webhookId, eventId }));
    expect(replayed).toEqual({ object: 'webhook_event', id: eventId });
    expect(receiver.requests.map(({ body }) => body)).toEqual(Array(2).fill(receiver.requests[0]?.body));
  }),
  'webhooks.events.attempts.list': withWebhook(async (world, { id: webhookId, receiver }) => {
    const { events: log } = world.resend.webhooks;
    const { id: eventId } = await firstEvent(world, webhookId, receiver);
    receiver.answer((_, response) => response.writeHead(500).end('broken'));
    await dataOf(log.replay({ webhookId, eventId }));
    const sent_at = expect.stringMatching(/Z$/);
    const { data } = await dataOf(log.attempts.list({ webhookId, eventId }));
    expect(data).toEqual([
      { id: '2', http_status_code: 500, response: 'broken', sent_at },
      { id: '1', http_status_code: 200, response: '', sent_at },
    ]);
    const page = await dataOf(log.attempts.list({ webhookId, eventId, limit: 1, after: '2' }));
    expect(page.data.map(({ id }) => id)).toEqual(['1']);
  }),
};
