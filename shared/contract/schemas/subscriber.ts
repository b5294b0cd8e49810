import * as z from 'zod';
import { type AddressProblem, addressProblemTexts, maxAddressLength, parseAddress } from '../../domain/address.ts';
import { subscriberStatuses } from '../../domain/person/person.ts';
import { formFieldBounds } from '../../domain/workspace/workspace.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, named, nullableTimestamp, optional, timestamp } from './fields.ts';

export const maxTags = 50;
export const maxFields = 50;

const texts = textsOf({
  controlCharacters: {
    en: 'must not contain line breaks or other control characters',
    fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
  },
  fieldName: {
    en: 'a field name must be 1 to 64 of A-Z a-z 0-9 _',
    fr: 'un nom de champ doit compter de 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  tinyNumber: {
    en: 'must be 0, or differ from 0 by at least 1e-100',
    fr: 'doit être 0, ou différer de 0 d’au moins 1e-100',
  },
});

export const fieldsText: Text = {
  en: 'Custom fields, at most 50: string (1,000 characters), number, boolean. Merged key by key; null deletes a key.',
  fr: 'Champs personnalisés, 50 au plus : chaîne (1 000 caractères), nombre, booléen. Fusionnés clé par clé ; null supprime la clé.',
};

export const tooManyFields: Text = {
  en: `a subscriber has at most ${maxFields} fields`,
  fr: `un abonné a au plus ${maxFields} champs`,
};

export const tooManyTags: Text = {
  en: `a subscriber has at most ${maxTags} tags`,
  fr: `un abonné a au plus ${maxTags} étiquettes`,
};

/** An address without a display name. Every problem has its own message. */
export const addressText = z
  .string()
  .max(maxAddressLength)
  .superRefine((value, context) => {
    const result = parseAddress(value);
    if (!result.ok && !isReportedByLimits(result.problem))
      context.addIssue(customIssue(addressProblemTexts[result.problem]));
  });

const isReportedByLimits = (problem: AddressProblem): boolean =>
  problem === 'too_long' || problem === 'address_too_long';

export const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value), { params: { text: texts.controlCharacters } });

const nameText = line(100);

export const subscriberTags = z.array(line(64).min(1)).max(maxTags);

/** Numbers that DynamoDB stores exactly. JSON numbers beyond 2^53 are not exact themselves. */
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

export const subscriberFields = z
  .record(z.string(), fieldValue)
  .superRefine(checkFieldNames, { when: () => true })
  .meta({ maxProperties: maxFields, propertyNames: { pattern: fieldName.source } });

/** Checks names even if a value is wrong, so that all issues are reported. */
function checkFieldNames(record: Record<string, unknown>, context: z.RefinementCtx): void {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
  const names = Object.keys(record);
  if (names.length > maxFields) context.addIssue(customIssue(tooManyFields));
  for (const name of names) if (!fieldName.test(name)) context.addIssue(customIssue(texts.fieldName, [name]));
}

export const upsertSubscriberRequest = withNameRules(
  z.object({
    email: describe(
      addressText,
      {
        en: 'Address. Compared in lower case; there is one subscriber for each address.',
        fr: 'Adresse. Comparée en minuscules ; un abonné par adresse.',
      },
      ['ada@example.net'],
    ),
    firstName: describe(
      nameText.nullable().optional(),
      { en: 'First name; null removes it.', fr: 'Prénom ; null le retire.' },
      ['Ada'],
    ),
    lastName: describe(
      nameText.nullable().optional(),
      { en: 'Last name; null removes it.', fr: 'Nom ; null le retire.' },
      ['Lovelace'],
    ),
    tags: describe(
      optional(subscriberTags),
      {
        en: 'Tags, at most 50, each of 1 to 64 characters. They replace the existing ones.',
        fr: 'Étiquettes, 50 au plus, de 1 à 64 caractères chacune. Elles remplacent les existantes.',
      },
      [['newsletter']],
    ),
    fields: describe(optional(subscriberFields), fieldsText, [{ city: 'London', age: 36 }]),
    double_opt_in: describe(
      optional(z.boolean()),
      {
        en: '`false` subscribes the person directly; you are then responsible for their consent. Otherwise the person is `pending` and receives a confirmation message.',
        fr: '`false` abonne directement la personne ; vous êtes alors responsable de son consentement. Sinon la personne est `pending` et reçoit un message de confirmation.',
      },
      [true],
    ),
  }),
  { unknown: 'ignored', takesSpellings: true },
);

export const subscriberPath = z.object({
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
});

export const subscriberStatus = named('SubscriberStatus', z.enum(subscriberStatuses));

const object = constant('subscriber');

export const subscriber = named(
  'Subscriber',
  z.object({
    object,
    email: describe(z.string(), { en: 'Address, in lower case.', fr: 'Adresse, en minuscules.' }, ['ada@example.net']),
    status: describe(subscriberStatus, { en: 'Status of the person.', fr: 'Statut de la personne.' }, ['pending']),
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
    confirmed_at: nullableTimestamp({
      en: 'When the person confirmed, else null.',
      fr: 'Date de confirmation par la personne ; sinon null.',
    }),
    unsubscribed_at: nullableTimestamp({
      en: 'When the person unsubscribed; null unless the status is or was `unsubscribed`.',
      fr: 'Date du désabonnement ; null sauf si le statut est ou a été `unsubscribed`.',
    }),
  }),
);

export const unsubscribedSubscriber = named(
  'UnsubscribedSubscriber',
  z.object({
    object,
    email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
    status: constant('unsubscribed'),
    suppressed: describe(
      z.boolean(),
      { en: 'Whether the address is on the suppression list.', fr: 'Si l’adresse est sur la liste d’exclusion.' },
      [true],
    ),
    deleted: describe(z.literal(false), {
      en: 'Always false: the record is kept.',
      fr: 'Toujours false : la fiche est gardée.',
    }),
  }),
);

/** The public sign-up form. `fields` are the workspace's own questions. */
export const signUpForm = z.object({
  email: addressText,
  firstName: nameText.optional(),
  lastName: nameText.optional(),
  fields: z.record(z.string(), line(formFieldBounds.answer)).optional(),
});
