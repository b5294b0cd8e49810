import * as z from 'zod';
import type { sendEventRoute } from '../../contract/routes/events.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { eventName } from '../../contract/schemas/personEvent.ts';
import { derivedId } from '../../domain/identifier.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
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
];
