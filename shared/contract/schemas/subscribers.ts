import * as z from 'zod';
import { type AddressProblem, maxAddressLength, parseAddress } from '../../domain/address/address.ts';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { foldText } from '../../domain/person/searchTerms.ts';
import { subscriberStatuses } from '../../domain/person/subscriber.ts';
import { formFieldBounds } from '../../domain/workspace/formSettings.ts';
import { custom } from '../../language/issue.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { optional } from '../optional.ts';
import { listOf, pageQuery } from './list.ts';

const maxTags = 50;
export const maxFields = 50;

const texts = textsOf({
  controlCharacters: {
    en: 'must not contain line breaks or other control characters',
    fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
  },
  query: {
    en: 'must have at least 2 characters',
    fr: 'doit compter au moins 2 caractères',
  },
  fieldName: {
    en: 'a field name must be 1 to 64 of A-Z a-z 0-9 _',
    fr: 'un nom de champ doit compter de 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  tinyNumber: {
    en: 'must be 0 or at least 1e-100 away from it',
    fr: 'doit être 0 ou en être éloigné d’au moins 1e-100',
  },
});

export const tooManyFields: Text = {
  en: `a subscriber has at most ${maxFields} fields`,
  fr: `un abonné a au plus ${maxFields} champs`,
};

/** A bare address; every reason for a refusal has its own sentence. */
export const addressText = z
  .string()
  .max(maxAddressLength)
  .superRefine((value, context) => {
    const result = parseAddress(value);
    if (!result.ok && !isToldByBounds(result.problem)) context.addIssue(custom(addressProblemTexts[result.problem]));
  });

const isToldByBounds = (problem: AddressProblem): boolean => problem === 'too_long' || problem === 'address_too_long';

const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value), { params: { text: texts.controlCharacters } });

const nameText = line(100);

const tags = z.array(line(64).min(1)).max(maxTags);

/** What the table keeps exactly; beyond 2^53 a JSON number is not exact to begin with. */
const fieldValue = z.union([
  z.string().max(1000),
  z
    .number()
    .min(-Number.MAX_SAFE_INTEGER)
    .max(Number.MAX_SAFE_INTEGER)
    .refine((value) => value === 0 || Math.abs(value) >= 1e-100, { params: { text: texts.tinyNumber } }),
  z.boolean(),
  z.null(),
]);

export const fieldName = /^[A-Za-z0-9_]{1,64}$/;

const fields = z
  .record(z.string(), fieldValue)
  .superRefine(checkFieldNames, { when: () => true })
  .meta({ maxProperties: maxFields, propertyNames: { pattern: fieldName.source } });

/** Names are looked at even where a value is wrong: every problem is told at once. */
function checkFieldNames(record: Record<string, unknown>, context: z.RefinementCtx): void {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
  const names = Object.keys(record);
  if (names.length > maxFields) context.addIssue(custom(tooManyFields));
  for (const name of names) if (!fieldName.test(name)) context.addIssue(custom(texts.fieldName, [name]));
}

export const upsertSubscriberRequest = z.object({
  email: describe(
    addressText,
    {
      en: 'Address. Compared in lower case; one subscriber an address.',
      fr: 'Adresse. Comparée en minuscules ; un abonné par adresse.',
    },
    ['ada@example.net'],
  ),
  firstName: describe(
    nameText.nullable().optional(),
    { en: 'First name; null takes it away.', fr: 'Prénom ; null le retire.' },
    ['Ada'],
  ),
  lastName: describe(
    nameText.nullable().optional(),
    { en: 'Last name; null takes it away.', fr: 'Nom ; null le retire.' },
    ['Lovelace'],
  ),
  tags: describe(
    optional(tags),
    {
      en: 'Labels, at most 50 of 1 to 64 characters. Replaces those that are there.',
      fr: 'Étiquettes, 50 au plus de 1 à 64 caractères. Remplace celles qui existent.',
    },
    [['newsletter']],
  ),
  fields: describe(
    optional(fields),
    {
      en: 'Custom fields, at most 50: string (1,000 characters), number, boolean. Merged key by key; null deletes a key.',
      fr: 'Champs personnalisés, 50 au plus : chaîne (1 000 caractères), nombre, booléen. Fusionnés clé par clé ; null supprime la clé.',
    },
    [{ city: 'London', age: 36 }],
  ),
  double_opt_in: describe(
    optional(z.boolean()),
    {
      en: '`false` registers the subscriber directly and you answer for the consent. Otherwise the person is `pending` and receives a confirmation message.',
      fr: '`false` inscrit directement l’abonné et vous répondez du consentement. Sinon la personne est `pending` et reçoit un message de confirmation.',
    },
    [true],
  ),
});

export const subscriberPath = z.object({
  email: describe(z.string(), { en: 'Address, URL-encoded.', fr: 'Adresse, encodée pour l’URL.' }, [
    'ada%40example.net',
  ]),
});

const status = z.enum(subscriberStatuses);

export const listSubscribersQuery = z.object({
  ...pageQuery,
  status: describe(
    status.optional(),
    { en: 'Only subscribers of this status.', fr: 'Seulement les abonnés de ce statut.' },
    ['subscribed'],
  ),
  q: describe(
    line(320)
      .refine((value) => [...foldText(value)].length >= 2, { params: { text: texts.query } })
      .meta({ minLength: 2 })
      .optional(),
    {
      en: 'Start of the address, of its domain, of the first name, of the last name or of any word in them; at least 2 characters. Case and accents do not matter. Under `q` the list is in alphabetical order of what was found.',
      fr: 'Début de l’adresse, de son domaine, du prénom, du nom ou d’un mot qu’ils contiennent ; au moins 2 caractères. Sans égard à la casse ni aux accents. Avec `q`, la liste suit l’ordre alphabétique de ce qui a été trouvé.',
    },
    ['lovelace'],
  ),
});

const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);
const moment = (text: Text) => describe(z.string().nullable(), text, ['2026-11-21T10:31:00.000Z']);
const object = describe(z.literal('subscriber'), { en: 'Always `subscriber`.', fr: 'Toujours `subscriber`.' });

export const subscriber = z.object({
  object,
  email: describe(z.string(), { en: 'Address, in lower case.', fr: 'Adresse, en minuscules.' }, ['ada@example.net']),
  status: describe(status, { en: 'Where the person stands.', fr: 'État de la personne.' }, ['pending']),
  firstName: describe(z.string().nullable(), { en: 'First name.', fr: 'Prénom.' }, ['Ada']),
  lastName: describe(z.string().nullable(), { en: 'Last name.', fr: 'Nom.' }, ['Lovelace']),
  tags: describe(z.array(z.string()), { en: 'Labels.', fr: 'Étiquettes.' }, [['newsletter']]),
  fields: describe(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    { en: 'Custom fields.', fr: 'Champs personnalisés.' },
    [{ city: 'London' }],
  ),
  created_at: timestamp({
    en: 'When it was first stored, ISO 8601 UTC.',
    fr: 'Date du premier enregistrement, ISO 8601 UTC.',
  }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
  confirmed_at: moment({
    en: 'When the person confirmed; else null.',
    fr: 'Date de confirmation par la personne ; sinon null.',
  }),
  unsubscribed_at: moment({
    en: 'When the person left; null unless the status is or was `unsubscribed`.',
    fr: 'Date de départ ; null sauf si le statut est ou a été `unsubscribed`.',
  }),
});

export const subscriberList = listOf(subscriber);

export const unsubscribedSubscriber = z.object({
  object,
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
  status: describe(z.literal('unsubscribed'), { en: 'Always `unsubscribed`.', fr: 'Toujours `unsubscribed`.' }),
  suppressed: describe(
    z.boolean(),
    { en: 'True: the address is on the suppression list.', fr: 'Vrai : l’adresse est sur la liste d’exclusion.' },
    [true],
  ),
  deleted: describe(z.literal(false), {
    en: 'Always false: the record is kept.',
    fr: 'Toujours false : la fiche est gardée.',
  }),
});

/** What the public form asks for; `fields` are the workspace's own questions. */
export const signUpForm = z.object({
  email: addressText,
  firstName: nameText.optional(),
  lastName: nameText.optional(),
  fields: z.record(z.string(), line(formFieldBounds.answer)).optional(),
});
