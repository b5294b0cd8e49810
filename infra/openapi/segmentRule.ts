import * as z from 'zod';
import { describe, named } from '../../shared/contract/schemas/fields.ts';
import { mailActions } from '../../shared/domain/personEvents/mailActivity.ts';
import { personEventLimits } from '../../shared/domain/personEvents/personEvent.ts';
import type { Text } from '../../shared/language/text.ts';

/** A rule inside a rule: a reference to the union of all. */
const rule = named('SegmentRule', z.unknown());
const rules = (text: Text) => describe(z.array(rule).min(1), text);

const operator = (names: readonly [string, ...string[]]) =>
  describe(z.enum(names), { en: 'How it is compared.', fr: 'Manière de comparer.' });
const value = <T extends z.ZodType>(schema: T) =>
  describe(schema, {
    en: 'What it is compared with; none for `exists`.',
    fr: 'Valeur à laquelle comparer ; aucune pour `exists`.',
  });

const text = z.string().max(1000);

/**
 * What segments are made of, by the name of the component. For readers of the documents and for types: rules are parsed by
 * shared/domain/segment/segmentRule.ts.
 */
export const segmentRules = {
  SegmentAllRule: z.strictObject({
    all: rules({ en: 'Every rule must hold.', fr: 'Toutes les règles doivent être vraies.' }),
  }),
  SegmentAnyRule: z.strictObject({
    any: rules({ en: 'At least one rule must hold.', fr: 'Une règle au moins doit être vraie.' }),
  }),
  SegmentNotRule: z.strictObject({
    not: describe(rule, { en: 'The rule must not hold.', fr: 'La règle ne doit pas être vraie.' }),
  }),
  SegmentTagRule: z.strictObject({
    tag: describe(z.string().min(1).max(64), {
      en: 'The person has this label.',
      fr: 'La personne porte cette étiquette.',
    }),
  }),
  SegmentNameRule: z.strictObject({
    name: describe(z.enum(['firstName', 'lastName']), { en: 'The name to compare.', fr: 'Le nom à comparer.' }),
    operator: operator(['equals', 'not_equals', 'contains', 'starts_with', 'exists']),
    value: value(text.optional()),
  }),
  SegmentFieldRule: z.strictObject({
    field: describe(z.string().regex(/^[A-Za-z0-9_]{1,64}$/), {
      en: 'Name of the custom field.',
      fr: 'Nom du champ personnalisé.',
    }),
    operator: operator(['equals', 'not_equals', 'contains', 'starts_with', 'exists', 'greater_than', 'less_than']),
    value: value(z.union([text, z.number(), z.boolean()]).optional()),
  }),
  SegmentDateRule: z.strictObject({
    date: describe(z.enum(['created_at', 'confirmed_at']), { en: 'The date to compare.', fr: 'La date à comparer.' }),
    operator: operator(['before', 'after', 'within_last_days']),
    value: describe(z.union([z.string().max(1000), z.int().min(1).max(36_500)]), {
      en: 'A date such as 2026-11-21, a time such as 2026-11-21T10:30:00Z, or a number of days.',
      fr: 'Une date comme 2026-11-21, une heure comme 2026-11-21T10:30:00Z, ou un nombre de jours.',
    }),
  }),
  SegmentEventRule: z.strictObject({
    event: describe(z.string().min(1).max(64), { en: 'Name of the event.', fr: 'Nom de l’événement.' }),
    operator: operator(['exists', 'count_at_least', 'within_last_days']),
    value: value(z.int().min(1).max(1_000_000).optional()),
  }),
  SegmentMailRule: z.strictObject({
    mail: describe(z.enum(mailActions), {
      en: 'Email of the workspace that was sent to the person, that they opened, or in which they clicked. Relays and robots do not count.',
      fr: 'E-mail de l’espace envoyé à la personne, ouvert par elle, ou dont elle a cliqué un lien. Les relais et les robots ne comptent pas.',
    }),
    operator: operator(['exists', 'within_last_days']),
    value: value(z.int().min(1).max(personEventLimits.retentionDays).optional()),
  }),
} satisfies Record<string, z.ZodObject>;
