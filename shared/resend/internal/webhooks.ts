import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type {
  createWebhookRoute,
  deleteWebhookRoute,
  getDeliveryRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  replayDeliveryRoute,
  rotateWebhookRoute,
  updateWebhookRoute,
} from '../../contract/routes/webhooks.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { listOf, pageAfter, pageIn, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

type ClientWebhook = ClientAnswer<Resend['webhooks']['get']>;
type ClientEvent = NonNullable<ClientWebhook['events']>[number];

/** Our names of events by the client's, where they differ. The REST API refuses names that neither has. */
const eventNames: ReadonlyMap<unknown, string> = new Map<ClientEvent, string>([
  ['email.delivery_delayed', 'email.delayed'],
  ['contact.created', 'subscriber.created'],
  ['contact.updated', 'subscriber.updated'],
  ['contact.deleted', 'subscriber.unsubscribed'],
  ['contact.topics.updated', 'subscriber.topics_updated'],
]);
const clientNames = new Map([...eventNames].map(([client, own]) => [own, client]));

/** Events that the client has no name for keep ours: its types do not have them. */
const clientEvent = (type: string): ClientEvent => (clientNames.get(type) ?? type) as ClientEvent;

const fieldNames = { url: 'endpoint', enabled: 'status' };

const values = {
  endpoint: anything,
  events: z
    .unknown()
    .transform((given) => (Array.isArray(given) ? given.map((one) => eventNames.get(one) ?? one) : given))
    .optional(),
};
const webhook = strictFields(values);
const webhookChange = strictFields({ ...values, status: z.enum(['enabled', 'disabled']).optional() });

const shown = (one: Output<typeof listWebhooksRoute>['data'][number]) => ({
  id: one.id,
  created_at: one.created_at,
  status: one.enabled ? ('enabled' as const) : ('disabled' as const),
  endpoint: one.url,
  events: one.events.map(clientEvent),
});

const pathOf = (call: ClientCall) => `/api/v1/webhooks/${inPath(call.parameter('id'))}` as const;

async function create(
  call: ClientCall,
  { endpoint: url, events }: z.output<typeof webhook>,
): Promise<ClientAnswer<Resend['webhooks']['create']>> {
  const options = { body: { url, events }, fieldNames };
  const { id, secret } = await call.rest<typeof createWebhookRoute>('POST', '/api/v1/webhooks', options);
  return { object: 'webhook', id, signing_secret: secret };
}

/** A workspace has fewer webhooks than a page entries. */
async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['webhooks']['list']>> {
  const { data } = await call.rest<typeof listWebhooksRoute>('GET', '/api/v1/webhooks', { query: { limit: 100 } });
  const { entries, hasMore } = pageIn(data, page, ({ id }) => id);
  return listOf(entries.map(shown), hasMore);
}

async function get(call: ClientCall): Promise<ClientWebhook> {
  const one = await call.rest<typeof getWebhookRoute>('GET', pathOf(call));
  return { object: 'webhook', ...shown(one), signing_secret: one.secret };
}

async function update(
  call: ClientCall,
  { endpoint: url, events, status }: z.output<typeof webhookChange>,
): Promise<ClientAnswer<Resend['webhooks']['update']>> {
  const body = { url, events, enabled: status && status === 'enabled' };
  const { id } = await call.rest<typeof updateWebhookRoute>('PATCH', pathOf(call), { body, fieldNames });
  return { object: 'webhook', id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['webhooks']['remove']>> {
  const { id, deleted } = await call.rest<typeof deleteWebhookRoute>('DELETE', pathOf(call));
  return { object: 'webhook', id, deleted };
}

async function rotate(call: ClientCall): Promise<ClientAnswer<Resend['webhooks']['rotateSigningSecret']>> {
  const options = { headers: ['idempotency-key'] };
  const { id, secret } = await call.rest<typeof rotateWebhookRoute>('POST', `${pathOf(call)}/rotate`, options);
  return { object: 'webhook', id, signing_secret: secret };
}

type RestDelivery = Output<typeof listDeliveriesRoute>['data'][number];
type ClientLog = ClientAnswer<Resend['webhooks']['events']['get']>;

/** The client's event of a webhook is our delivery. */
const deliveryIn = ({ id, event_type, created_at, status }: RestDelivery) => ({
  id,
  type: clientEvent(event_type),
  created_at,
  status: status === 'delivered' ? ('success' as const) : status,
});

const logPathOf = (call: ClientCall) => `${pathOf(call)}/deliveries/${inPath(call.parameter('delivery'))}` as const;

async function listEvents(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['webhooks']['events']['list']>> {
  const { entries, hasMore } = await pageAfter(
    page,
    ({ id }) => id,
    (part: { limit: number; cursor?: string }) =>
      call.rest<typeof listDeliveriesRoute>('GET', `${pathOf(call)}/deliveries`, { query: part }),
  );
  return listOf(entries.map(deliveryIn), hasMore);
}

/** `payload` is what was posted, which has our form. */
async function getEvent(call: ClientCall): Promise<Omit<ClientLog, 'payload'> & { readonly payload: object }> {
  const delivery = await call.rest<typeof getDeliveryRoute>('GET', logPathOf(call));
  const { next_attempt_at } = delivery;
  return { object: 'webhook_event', ...deliveryIn(delivery), next_attempt_at, payload: JSON.parse(delivery.body) };
}

async function replay(call: ClientCall): Promise<ClientAnswer<Resend['webhooks']['events']['replay']>> {
  const { id } = await call.rest<typeof replayDeliveryRoute>('POST', `${logPathOf(call)}/replay`);
  return { object: 'webhook_event', id };
}

/** An attempt without an answer has the status 0. Of the answers, only the last one is kept. */
async function listAttempts(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['webhooks']['events']['attempts']['list']>> {
  const { attempt_log: log, response_body } = await call.rest<typeof getDeliveryRoute>('GET', logPathOf(call));
  const attempts = log.map((attempt, index) => ({
    id: String(index + 1),
    http_status_code: attempt.response_status ?? 0,
    response: (index === log.length - 1 ? response_body : null) ?? attempt.error ?? '',
    sent_at: attempt.at,
  }));
  const { entries, hasMore } = pageIn(attempts.toReversed(), page, ({ id }) => id);
  return listOf(entries, hasMore);
}

const events = '/webhooks/{id}/events';

export const webhookTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/webhooks', body: webhook, answer: (call, { body }) => create(call, body) }),
  translation({ method: 'GET', path: '/webhooks', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/webhooks/{id}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/webhooks/{id}',
    body: webhookChange,
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/webhooks/{id}', answer: remove }),
  translation({ method: 'POST', path: '/webhooks/{id}/signing-secret/rotate', answer: rotate }),
  translation({ method: 'GET', path: events, query: pageQuery, answer: (call, { query }) => listEvents(call, query) }),
  translation({ method: 'GET', path: `${events}/{delivery}`, answer: getEvent }),
  translation({ method: 'POST', path: `${events}/{delivery}/replay`, answer: replay }),
  translation({
    method: 'GET',
    path: `${events}/{delivery}/attempts`,
    query: pageQuery,
    answer: (call, { query }) => listAttempts(call, query),
  }),
];
