import * as z from 'zod';
import { ValidationError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type {
  createTopicRoute,
  deleteTopicRoute,
  getTopicRoute,
  listTopicsRoute,
  updateTopicRoute,
} from '../../contract/routes/topics.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  id: { en: 'is not the id in the path', fr: 'n’est pas l’identifiant du chemin' },
});

const shown = ({ id, name, description, default_subscription, created_at }: Output<typeof getTopicRoute>) => ({
  ...{ id, name, default_subscription, created_at },
  ...(description !== null && { description }),
});

const pathOf = (call: ClientCall) => `/api/v1/topics/${inPath(call.parameter('id'))}` as const;

async function create(call: ClientCall, body: object): Promise<ClientAnswer<Resend['topics']['create']>> {
  const options = { body, headers: ['idempotency-key'] };
  const { id } = await call.rest<typeof createTopicRoute>('POST', '/api/v1/topics', options);
  return { id };
}

/** The client reads no pages: a workspace has fewer topics than a page entries. */
async function list(call: ClientCall): Promise<ClientAnswer<Resend['topics']['list']>> {
  const { data } = await call.rest<typeof listTopicsRoute>('GET', '/api/v1/topics', { query: { limit: 100 } });
  return { data: data.map(shown) };
}

async function get(call: ClientCall): Promise<ClientAnswer<Resend['topics']['get']>> {
  return shown(await call.rest<typeof getTopicRoute>('GET', pathOf(call)));
}

/** The client sends the id in the body too. */
async function update(
  call: ClientCall,
  { id: given, ...body }: { readonly id?: string | undefined; readonly name?: unknown; readonly description?: unknown },
): Promise<ClientAnswer<Resend['topics']['update']>> {
  if (given !== undefined && given !== call.parameter('id')) {
    throw new ValidationError([{ path: 'id', text: texts.id }]);
  }
  const { id } = await call.rest<typeof updateTopicRoute>('PATCH', pathOf(call), { body });
  return { id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['topics']['remove']>> {
  const { id } = await call.rest<typeof deleteTopicRoute>('DELETE', pathOf(call));
  return { object: 'topic', id, deleted: true };
}

const values = { name: anything, description: anything };

export const topicTranslations: readonly Translation[] = [
  translation({
    method: 'POST',
    path: '/topics',
    body: strictFields({ ...values, default_subscription: anything }),
    answer: (call, { body }) => create(call, body),
  }),
  translation({ method: 'GET', path: '/topics', answer: list }),
  translation({ method: 'GET', path: '/topics/{id}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/topics/{id}',
    body: strictFields({ ...values, id: z.string().optional() }),
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/topics/{id}', answer: remove }),
];
