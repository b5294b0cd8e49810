import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type { addSuppressionRoute, listSuppressionRoute } from '../../contract/routes/suppression.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { addressText } from '../../contract/schemas/subscriber.ts';
import { textsOf } from '../../language/text.ts';
import { listOf, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  byHand: {
    en: 'No key removes an address from the suppression list: an operator does it by hand.',
    fr: 'Aucune clé ne retire une adresse de la liste d’exclusion : un opérateur le fait à la main.',
  },
});

type RestSuppression = Output<typeof listSuppressionRoute>['data'][number];

const path = '/api/v1/suppression';

/** The client has no word for people who unsubscribed. */
const shown = ({ email, reason, created_at }: RestSuppression) => ({
  id: email,
  email,
  origin: reason === 'unsubscribe' ? ('manual' as const) : reason,
  source_id: null,
  created_at,
});

async function add(call: ClientCall, body: object): Promise<ClientAnswer<Resend['suppressions']['add']>> {
  const { email } = await call.rest<typeof addSuppressionRoute>('POST', path, { body });
  return { object: 'suppression', id: email };
}

type BatchAnswer = ClientAnswer<Resend['suppressions']['batch']['add']>;

/** One by one: a batch that is cut off is finished by the same call, since adding an address again changes nothing. */
async function addBatch(call: ClientCall, emails: readonly string[]): Promise<BatchAnswer> {
  const data: BatchAnswer['data'] = [];
  for (const email of emails) data.push(await add(call, { email }));
  return { data };
}

async function list(
  call: ClientCall,
  { limit, after }: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['suppressions']['list']>> {
  const page = await call.rest<typeof listSuppressionRoute>('GET', path, { query: { limit, after } });
  return listOf(page.data.map(shown), page.has_more);
}

async function get(call: ClientCall): Promise<ClientAnswer<Resend['suppressions']['get']>> {
  const email = call.parameter('id');
  if (!addressText.safeParse(email).success) throw new ServiceError('not_found');
  const { data } = await call.rest<typeof listSuppressionRoute>('GET', path, { query: { email } });
  const [entry] = data;
  if (!entry) throw new ServiceError('not_found');
  return { object: 'suppression', ...shown(entry) };
}

async function refuseRemoval(): Promise<never> {
  throw new ServiceError('insufficient_scope', { text: texts.byHand });
}

/** Each is a call of the REST API. */
const mostInBatch = 50;
const addresses = z.array(addressText).min(1).max(mostInBatch);

export const suppressionTranslations: readonly Translation[] = [
  translation({
    method: 'POST',
    path: '/suppressions',
    body: strictFields({ email: anything }),
    answer: (call, { body }) => add(call, body),
  }),
  translation({
    method: 'POST',
    path: '/suppressions/batch/add',
    body: strictFields({ emails: addresses }),
    answer: (call, { body }) => addBatch(call, body.emails),
  }),
  translation({
    method: 'GET',
    path: '/suppressions',
    query: pageQuery,
    answer: (call, { query }) => list(call, query),
  }),
  translation({ method: 'GET', path: '/suppressions/{id}', answer: get }),
  // Whatever they name: nothing of it is read.
  { method: 'DELETE', path: '/suppressions/{id}', answer: refuseRemoval },
  { method: 'POST', path: '/suppressions/batch/remove', answer: refuseRemoval },
];
