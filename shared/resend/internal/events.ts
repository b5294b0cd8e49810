import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import type { getAutomationRoute, listAutomationsRoute } from '../../contract/routes/automations.ts';
import type { sendEventRoute } from '../../contract/routes/events.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { eventName } from '../../contract/schemas/personEvent.ts';
import { derivedId } from '../../domain/identifier.ts';
import { listOf, pageIn, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

/** The fields of the route are the client's own. */
async function send(call: ClientCall, body: object): Promise<ClientAnswer<Resend['events']['send']>> {
  const options = { body, headers: ['idempotency-key'] };
  const { object, event } = await call.rest<typeof sendEventRoute>('POST', '/api/v1/events/send', options);
  return { object, event };
}

/** Events need no definition: nothing is stored, and data is not held against a schema. */
async function create({ name }: { readonly name: string }): Promise<ClientAnswer<Resend['events']['create']>> {
  const created = { object: 'event' as const, id: derivedId('event', name), name };
  return created;
}

type ClientEvent = ClientAnswer<Resend['events']['list']>['data'][number];

/** The names that enabled automations listen to, in their order, each since the oldest of these automations. */
async function eventsListenedTo(call: ClientCall): Promise<readonly ClientEvent[]> {
  const query = { status: 'enabled', limit: 100 };
  const { data } = await call.rest<typeof listAutomationsRoute>('GET', '/api/v1/automations', { query });
  const found = new Map<string, ClientEvent>();
  for (const { id, created_at } of data) {
    const path = `/api/v1/automations/${inPath(id)}` as const;
    const { steps, goals } = await call.rest<typeof getAutomationRoute>('GET', path);
    for (const listening of [...steps.map(({ config }) => config), ...goals]) {
      const name = 'event_name' in listening ? listening.event_name : undefined;
      if (typeof name !== 'string') continue;
      found.set(name, { id: derivedId('event', name), name, schema: null, created_at, updated_at: null });
    }
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['events']['list']>> {
  const { entries, hasMore } = pageIn(await eventsListenedTo(call), page, ({ id }) => id);
  return listOf(entries, hasMore);
}

/** By its name or its id. */
async function get(call: ClientCall): Promise<ClientAnswer<Resend['events']['get']>> {
  const named = call.parameter('id');
  const event = (await eventsListenedTo(call)).find(({ id, name }) => named === id || named === name);
  if (!event) throw new ServiceError('not_found');
  return { object: 'event', ...event };
}

export const eventTranslations: readonly Translation[] = [
  translation({
    method: 'POST',
    path: '/events/send',
    body: strictFields({ event: anything, email: anything, contact_id: anything, payload: anything }),
    answer: (call, { body }) => send(call, body),
  }),
  translation({
    method: 'POST',
    path: '/events',
    body: strictFields({ name: eventName, schema: z.record(z.string(), z.unknown()).nullish() }),
    answer: (_, { body }) => create(body),
  }),
  translation({ method: 'GET', path: '/events', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/events/{id}', answer: get }),
];
