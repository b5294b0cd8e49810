import * as z from 'zod';
import { suppressionReasons } from '../../domain/person/person.ts';
import { constant, describe, listOf, named, pageQueryAfter, withDefault } from './fields.ts';
import { addressText } from './subscriber.ts';

const reason = named('SuppressionReason', z.enum(suppressionReasons));

const emailFilter = describe(
  addressText.optional(),
  {
    en: 'Only this address: up to two entries, one of each scope.',
    fr: 'Seulement cette adresse : jusqu’à deux entrées, une de chaque portée.',
  },
  ['ada@example.net'],
);

export const listSuppressionQuery = pageQueryAfter({ email: emailFilter }, 'ada@example.net');

export const addSuppressionRequest = z.object({
  email: describe(addressText, { en: 'Address to suppress.', fr: 'Adresse à exclure.' }, ['ada@example.net']),
  reason: describe(
    withDefault(reason, 'manual'),
    {
      en: 'The reason. In order of rank: `complaint`, `bounce`, `unsubscribe`, `manual`. A lower reason never replaces a higher one.',
      fr: 'Le motif. Par ordre de priorité : `complaint`, `bounce`, `unsubscribe`, `manual`. Un motif n’est jamais remplacé par un motif inférieur.',
    },
    ['manual'],
  ),
});

export const suppression = z.object({
  object: constant('suppression'),
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
  reason: describe(reason, { en: 'Why it is suppressed.', fr: 'Motif de l’exclusion.' }, ['manual']),
  scope: describe(
    named('SuppressionScope', z.enum(['organization', 'platform'])),
    {
      en: '`organization`: this workspace. `platform`: the whole platform.',
      fr: '`organization` : cet espace. `platform` : toute la plateforme.',
    },
    ['organization'],
  ),
  created_at: describe(z.string(), { en: 'Since when, ISO 8601 UTC.', fr: 'Depuis quand, ISO 8601 UTC.' }, [
    '2026-11-21T10:30:00.000Z',
  ]),
});

export const suppressionList = listOf(suppression);
