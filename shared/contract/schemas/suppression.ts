import * as z from 'zod';
import { suppressionReasons } from '../../domain/person/suppression.ts';
import { describe } from '../describe.ts';
import { withDefault } from '../optional.ts';
import { listOf, pageQuery } from './list.ts';
import { addressText } from './subscribers.ts';

const reason = z.enum(suppressionReasons);

export const listSuppressionQuery = z.object({
  ...pageQuery,
  email: describe(
    addressText.optional(),
    {
      en: 'Only this address: none, one or two entries, since both scopes may hold it.',
      fr: 'Seulement cette adresse : zéro, une ou deux entrées, car les deux portées peuvent la contenir.',
    },
    ['ada@example.net'],
  ),
});

export const addSuppressionRequest = z.object({
  email: describe(addressText, { en: 'Address to block.', fr: 'Adresse à bloquer.' }, ['ada@example.net']),
  reason: describe(
    withDefault(reason, 'manual'),
    {
      en: 'Why. `complaint` outranks `bounce`, then `unsubscribe`, then `manual`: a lower one never replaces a higher one.',
      fr: 'Motif. `complaint` l’emporte sur `bounce`, puis `unsubscribe`, puis `manual` : un motif ne cède qu’à un motif supérieur.',
    },
    ['manual'],
  ),
});

export const suppression = z.object({
  object: describe(z.literal('suppression'), { en: 'Always `suppression`.', fr: 'Toujours `suppression`.' }),
  email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
  reason: describe(reason, { en: 'Why it is blocked.', fr: 'Motif du blocage.' }, ['manual']),
  scope: describe(
    z.enum(['organization', 'platform']),
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
