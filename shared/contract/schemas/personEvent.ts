import * as z from 'zod';
import { personEventLimits, personEventName, reservedEventPrefixes } from '../../domain/personEvents/personEvent.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  inPlace,
  isGiven,
  listOf,
  moment,
  named,
  nullableTimestamp,
  optional,
  pageQueryAfter,
  timestamp,
} from './fields.ts';
import { addressText } from './subscriber.ts';

const { dataBytes, dataLevels } = personEventLimits;
const prefixes = reservedEventPrefixes.join(', ');

const texts = textsOf({
  nameForm: {
    en: 'must consist of A-Z a-z 0-9 _ . : -',
    fr: 'doit se composer de A-Z a-z 0-9 _ . : -',
  },
  reserved: {
    en: `must not begin with ${prefixes}: these names are the service’s own`,
    fr: `ne doit pas commencer par ${prefixes} : ces noms sont ceux du service`,
  },
  bytes: {
    en: `must have at most ${dataBytes} bytes as JSON`,
    fr: `doit compter au plus ${dataBytes} octets en JSON`,
  },
  levels: {
    en: `must not be nested more than ${dataLevels} levels deep`,
    fr: `ne doit pas être imbriqué sur plus de ${dataLevels} niveaux`,
  },
  name: {
    en: `What happened: 1 to 64 of \`A-Z a-z 0-9 _ . : -\`, not beginning with \`email.\`, \`subscriber.\` or \`mailroom.\`.`,
    fr: `Ce qui s’est passé : de 1 à 64 caractères parmi \`A-Z a-z 0-9 _ . : -\`, sans commencer par \`email.\`, \`subscriber.\` ou \`mailroom.\`.`,
  },
  email: { en: 'Address of the subscriber.', fr: 'Adresse de l’abonné.' },
  data: {
    en: 'Anything about it: a JSON object, at most 4,000 bytes and 3 levels.',
    fr: 'Ce que vous voulez en dire : un objet JSON, 4000 octets et 3 niveaux au plus.',
  },
  oneAddress: {
    en: 'exactly one of "email" and "contact_id" is required',
    fr: 'exactement l’un de « email » et « contact_id » est obligatoire',
  },
});

export const eventName = z
  .string()
  .min(1)
  .max(personEventLimits.nameCharacters)
  .superRefine((name, context) => {
    if (!personEventName.test(name)) context.addIssue(customIssue(texts.nameForm));
    else if (reservedEventPrefixes.some((prefix) => name.startsWith(prefix)))
      context.addIssue(customIssue(texts.reserved));
  })
  .meta({ pattern: personEventName.source });

const eventData = inPlace(
  z.record(z.string(), z.unknown()).superRefine((data, context) => {
    if (!isWithin(data, dataLevels)) context.addIssue(customIssue(texts.levels));
    else if (Buffer.byteLength(JSON.stringify(data)) > dataBytes) context.addIssue(customIssue(texts.bytes));
  }),
);

/** Not deeper than so many levels of objects and arrays. */
const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1)));

const externalId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[ -~]*$/);

export const personEventRequest = withNameRules(
  named(
    'PersonEventRequest',
    z.strictObject({
      name: describe(eventName, texts.name, ['order_placed']),
      email: describe(addressText, texts.email, ['ada@example.net']),
      data: describe(optional(eventData), texts.data, [{ amount: 42, currency: 'EUR' }]),
      external_id: describe(
        optional(externalId),
        {
          en: 'Your own identifier, 1 to 200 printable ASCII characters. The same one for the same person is recorded once.',
          fr: 'Votre propre identifiant, de 1 à 200 caractères ASCII imprimables. Le même pour la même personne n’est enregistré qu’une fois.',
        },
        ['order-42'],
      ),
      timestamp: describe(
        optional(moment),
        {
          en: 'When it happened, with a time zone: up to 400 days back. Default: now.',
          fr: 'Quand cela s’est passé, avec un fuseau horaire : jusqu’à 400 jours en arrière. Par défaut : maintenant.',
        },
        ['2026-11-21T10:30:00Z'],
      ),
    }),
  ),
  { unknown: 'refused' },
);

export const personEventBatchRequest = describe(
  named('PersonEventBatchRequest', z.array(personEventRequest).min(1).max(personEventLimits.batch)),
  {
    en: '1 to 100 events, each like the body of `POST /events`.',
    fr: 'De 1 à 100 événements, chacun comme le corps de `POST /events`.',
  },
);

/** The request of the resend client, which names the fields otherwise. */
export const sendEventRequest = withNameRules(
  named(
    'SendEventRequest',
    z
      .strictObject({
        event: describe(eventName, texts.name, ['order_placed']),
        email: describe(optional(addressText), texts.email, ['ada@example.net']),
        contact_id: describe(optional(addressText), {
          en: 'The same: a subscriber’s identifier is their address.',
          fr: 'De même : l’identifiant d’un abonné est son adresse.',
        }),
        payload: describe(optional(eventData), texts.data, [{ amount: 42, currency: 'EUR' }]),
      })
      .superRefine(
        (given, context) => {
          const { email, contact_id } = givenFields(given);
          if (isGiven(email) === isGiven(contact_id)) context.addIssue(customIssue(texts.oneAddress, ['email']));
        },
        { when: always },
      ),
  ),
  { unknown: 'refused' },
);

const answered = {
  object: constant('event'),
  id: describe(
    z.string().nullable(),
    { en: 'Identifier; null when it was not recorded.', fr: 'Identifiant ; null s’il n’a pas été enregistré.' },
    ['event_01k9zq3v5c8r2m4n6p7s9t0wxy'],
  ),
  name: describe(z.string(), { en: 'Name of the event.', fr: 'Nom de l’événement.' }, ['order_placed']),
  email: describe(z.string(), { en: 'Address, in lower case.', fr: 'Adresse, en minuscules.' }, ['ada@example.net']),
  recorded: describe(z.boolean(), { en: 'Whether it is recorded.', fr: 'S’il est enregistré.' }, [true]),
  reason: describe(
    named('UnrecordedReason', z.enum(['unknown_subscriber'])).nullable(),
    {
      en: 'Why it is not: `unknown_subscriber`, no subscriber has this address. Null when it is recorded.',
      fr: 'Pourquoi il ne l’est pas : `unknown_subscriber`, aucun abonné n’a cette adresse. Null s’il est enregistré.',
    },
    [null],
  ),
  replayed: describe(
    z.boolean(),
    {
      en: 'True when an event with this `external_id` was recorded before; the answer is then about that one.',
      fr: 'Vrai si un événement avec cet `external_id` était déjà enregistré ; la réponse porte alors sur celui-là.',
    },
    [false],
  ),
  timestamp: timestamp({ en: 'When it happened.', fr: 'Quand cela s’est passé.' }),
  created_at: nullableTimestamp({
    en: 'When it was recorded; null when it was not.',
    fr: 'Date d’enregistrement ; null s’il n’a pas été enregistré.',
  }),
};

export const personEvent = named('PersonEvent', z.object(answered));

export const personEventBatch = named(
  'PersonEventBatch',
  z.object({
    object: constant('batch'),
    data: describe(z.array(personEvent), {
      en: 'One answer for each event, in order.',
      fr: 'Une réponse par événement, dans l’ordre.',
    }),
  }),
);

export const sentEvent = named(
  'SentEvent',
  z.object({
    ...answered,
    event: describe(z.string(), { en: 'Name of the event.', fr: 'Nom de l’événement.' }, ['order_placed']),
  }),
);

export const listEventsQuery = pageQueryAfter(
  {
    email: describe(addressText, texts.email, ['ada@example.net']),
    name: describe(
      z.string().min(1).max(personEventLimits.nameCharacters).optional(),
      { en: 'Only events of this name.', fr: 'Seulement les événements de ce nom.' },
      ['order_placed'],
    ),
  },
  'event_01k9zq3v5c8r2m4n6p7s9t0wxy',
);

export const personEventList = listOf(
  named(
    'ListedPersonEvent',
    z.object({
      ...answered,
      data: describe(inPlace(z.record(z.string(), z.unknown())), texts.data, [{ amount: 42, currency: 'EUR' }]),
    }),
  ),
);
