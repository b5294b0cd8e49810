import * as z from 'zod';
import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type {
  deleteSubscriberRoute,
  getSubscriberRoute,
  listSubscribersRoute,
  updateSubscriberRoute,
  upsertSubscriberRoute,
} from '../../contract/routes/subscribers.ts';
import { optional, strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { chooseTopics, requireTopics, topicChoices } from './contactTopics.ts';
import { listOf, pageQuery } from './lists.ts';
import { tagOfSegment } from './segments.ts';
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
  unsubscribed: {
    en: 'cannot be true for a new contact: `contacts.update` unsubscribes one who exists, and `suppressions.add` keeps an address out',
    fr: 'ne peut pas valoir true pour un nouveau contact : `contacts.update` désabonne un contact existant, et `suppressions.add` exclut une adresse',
  },
  consent: {
    en: 'must be true or false: false subscribes the person without asking, and you answer for the consent',
    fr: 'doit être true ou false : false abonne la personne sans le lui demander, et vous répondez du consentement',
  },
  onlyNew: {
    en: 'is for new contacts: only the person can confirm',
    fr: 'vaut pour les nouveaux contacts : seule la personne peut confirmer',
  },
  everywhere: {
    en: 'is not supported here: removing a contact unsubscribes the person from everything. Leave it out, or use `contacts.segments.remove`',
    fr: 'n’est pas pris en charge ici : retirer un contact désabonne la personne de tout. Ne le donnez pas, ou utilisez `contacts.segments.remove`',
  },
});

type RestSubscriber = Output<typeof getSubscriberRoute>;

/** Names of the client's fields by those of the REST API. */
const fieldNames = {
  firstName: 'first_name',
  lastName: 'last_name',
  fields: 'properties',
  add_tags: 'segments',
  double_opt_in: 'properties.double_opt_in',
};

/** Who leaves is gone from all mail, and so is an address that bounces. */
const hasLeft = ({ status }: RestSubscriber): boolean => status !== 'subscribed' && status !== 'pending';

const shown = (subscriber: RestSubscriber) => ({
  id: subscriber.email,
  email: subscriber.email,
  created_at: subscriber.created_at,
  first_name: subscriber.firstName,
  last_name: subscriber.lastName,
  unsubscribed: hasLeft(subscriber),
});

const propertyOf = (value: string | number | boolean) =>
  typeof value === 'number' ? { type: 'number' as const, value } : { type: 'string' as const, value: String(value) };

const values = {
  first_name: anything,
  last_name: anything,
  properties: optional(z.record(z.string(), z.unknown())),
};

const isFalse = (value: unknown) => value !== true;
const newContact = {
  ...values,
  email: anything,
  unsubscribed: optional(z.boolean().refine(isFalse, { params: { text: texts.unsubscribed } })),
};
const segmentOfNew = strictFields({ id: z.string().min(1).max(100) });
const contact = strictFields({
  ...newContact,
  segments: optional(z.array(segmentOfNew).max(20)),
  topics: optional(topicChoices),
});
const contactChange = strictFields({ ...values, unsubscribed: optional(z.boolean()) });

type ContactValues = z.output<ReturnType<typeof strictFields<typeof values>>>;

const valuesFor = ({ first_name: firstName, last_name: lastName }: ContactValues, fields: object | undefined) => ({
  firstName,
  lastName,
  fields,
});

/** The field of the REST API that the client's types have no place for is read from the properties. */
function consentIn(properties: Readonly<Record<string, unknown>> = {}) {
  const { double_opt_in: given = true, ...fields } = properties;
  const doubleOptIn = new Map<unknown, boolean>([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ]).get(given);
  if (doubleOptIn === undefined) {
    throw new ValidationError([{ path: 'properties.double_opt_in', text: texts.consent }]);
  }
  return { double_opt_in: doubleOptIn, fields };
}

const pathOf = (email: string) => `/api/v1/subscribers/${inPath(email)}` as const;

export const readContact = (call: ClientCall, id = call.parameter('contact')) =>
  call.rest<typeof getSubscriberRoute>('GET', pathOf(id));

export const changeContact = (call: ClientCall, body: object, id = call.parameter('contact')) =>
  call.rest<typeof updateSubscriberRoute>('PATCH', pathOf(id), { body, fieldNames });

type NewContact = Partial<z.output<typeof contact>>;

/**
 * Segments and topics are checked before anybody is added. Segments come last: without them, the person gets less mail and
 * not more. When a topic could not be left, the call fails, and the same call makes it good.
 */
async function create(call: ClientCall, given: NewContact): Promise<ClientAnswer<Resend['contacts']['create']>> {
  const { segments = [], topics = [], email } = given;
  const { double_opt_in, fields } = consentIn(given.properties);
  const tags: string[] = [];
  for (const [index, { id }] of segments.entries()) tags.push(await tagOfSegment(call, id, `segments[${index}].id`));
  if (topics.length > 0) await requireTopics(call, topics);
  const body = { email, ...valuesFor(given, fields), double_opt_in };
  const added = await call.rest<typeof upsertSubscriberRoute>('POST', '/api/v1/subscribers', { body, fieldNames });
  if (topics.length > 0) await chooseTopics(call, added.email, topics);
  if (tags.length > 0) await changeContact(call, { add_tags: tags }, added.email);
  return { object: 'contact', id: added.email };
}

async function list(
  call: ClientCall,
  { limit, after }: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['contacts']['list']>> {
  const query = { limit, after };
  const page = await call.rest<typeof listSubscribersRoute>('GET', '/api/v1/subscribers', { query });
  return listOf(page.data.map(shown), page.has_more);
}

async function get(call: ClientCall): Promise<ClientAnswer<Resend['contacts']['get']>> {
  const subscriber = await readContact(call);
  const properties = Object.entries(subscriber.fields).map(([name, value]) => [name, propertyOf(value)] as const);
  return { object: 'contact', ...shown(subscriber), properties: Object.fromEntries(properties) };
}

/** To unsubscribe comes before all else: who left is not changed any more, and their other values are not stored. */
async function update(
  call: ClientCall,
  given: z.output<typeof contactChange>,
): Promise<ClientAnswer<Resend['contacts']['update']>> {
  if (given.unsubscribed === true) return { object: 'contact', id: (await leave(call)).email };
  if (Object.hasOwn(given.properties ?? {}, 'double_opt_in')) {
    throw new ValidationError([{ path: 'properties.double_opt_in', text: texts.onlyNew }]);
  }
  // The REST API refuses this for people who left, whatever is changed: no person comes back by `unsubscribed: false`.
  const { email } = await changeContact(call, valuesFor(given, given.properties));
  return { object: 'contact', id: email };
}

const leave = (call: ClientCall) =>
  call.rest<typeof deleteSubscriberRoute>('DELETE', pathOf(call.parameter('contact')));

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['contacts']['remove']>> {
  const { email, deleted } = await leave(call);
  return { object: 'contact', contact: email, deleted };
}

/** Of the calls with `audienceId`, whose contacts are those of a segment. */
async function requireMember(call: ClientCall): Promise<void> {
  const tag = await tagOfSegment(call, call.parameter('audience'), 'audience_id');
  if (!(await readContact(call)).tags.includes(tag)) throw new ServiceError('not_found');
}

const anAudience = '/audiences/{audience}/contacts';

export const contactTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/contacts', body: contact, answer: (call, { body }) => create(call, body) }),
  translation({ method: 'GET', path: '/contacts', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/contacts/{contact}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/contacts/{contact}',
    body: contactChange,
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/contacts/{contact}', answer: remove }),
  translation({
    method: 'POST',
    path: anAudience,
    body: strictFields(newContact),
    answer: (call, { body }) => create(call, { ...body, segments: [{ id: call.parameter('audience') }] }),
  }),
  translation({
    method: 'GET',
    path: `${anAudience}/{contact}`,
    answer: async (call) => {
      await requireMember(call);
      return get(call);
    },
  }),
  translation({
    method: 'PATCH',
    path: `${anAudience}/{contact}`,
    body: contactChange,
    answer: async (call, { body }) => {
      await requireMember(call);
      return update(call, body);
    },
  }),
  translation({
    method: 'DELETE',
    path: `${anAudience}/{contact}`,
    answer: () => {
      throw new ValidationError([{ path: 'audience_id', text: texts.everywhere }]);
    },
  }),
];
