import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { neverInherited, scopeNames } from '../scopes.ts';
import { constant, describe, listOf, moment, named, nullableTimestamp, pageQueryAfter, timestamp } from './fields.ts';
import { singleLine } from './internal/message.ts';

const idExample = 'key_01k9zq2m4n6p8q0r2s4t6v8w0x';

const texts = textsOf({
  blank: { en: 'must not be blank', fr: 'ne doit pas être vide' },
  never: {
    en: `no key can give ${neverInherited.join(' or ')}: only an owner does`,
    fr: `aucune clé ne peut donner ${neverInherited.join(' ou ')} : seul un propriétaire le fait`,
  },
  approval: {
    en: 'must be null: this release has no approvals yet',
    fr: 'doit être null : cette version n’a pas encore d’approbations',
  },
});

const scope = named('Scope', z.enum(scopeNames));

export const keyPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the key.', fr: 'Identifiant de la clé.' }, [idExample]),
});

export const listKeysQuery = pageQueryAfter({}, idExample);

export const createKeyRequest = withNameRules(
  z.strictObject({
    name: describe(
      singleLine(1, 100).superRefine((value, context) => {
        if (value !== '' && value.trim() === '') context.addIssue(customIssue(texts.blank));
      }),
      { en: 'What it is for.', fr: 'Ce à quoi elle sert.' },
      ['Nightly import'],
    ),
    scopes: describe(
      z
        .array(
          scope.superRefine((value, context) => {
            if (neverInherited.includes(value)) context.addIssue(customIssue(texts.never));
          }),
        )
        .min(1)
        .max(scopeNames.length)
        .transform((names) => [...new Set(names)]),
      { en: 'Its scopes: some of those of your key.', fr: 'Ses portées : une partie de celles de votre clé.' },
      [['subscribers:write']],
    ),
    expires_at: describe(moment, { en: 'When it ends, 90 days ahead at most.', fr: 'Sa fin, dans 90 jours au plus.' }, [
      '2026-12-21T10:30:00+01:00',
    ]),
    approval: describe(
      z
        .unknown()
        .superRefine((value, context) => {
          if (value !== undefined && value !== null) context.addIssue(customIssue(texts.approval));
        })
        .transform(() => undefined)
        .optional()
        .meta({ type: 'null' }),
      { en: 'Not in this release.', fr: 'Pas dans cette version.' },
    ),
  }),
  { unknown: 'refused' },
);

const object = constant('key');

const key = named(
  'Key',
  z.object({
    object,
    id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
    name: describe(z.string(), { en: 'What it is for.', fr: 'Ce à quoi elle sert.' }, ['Nightly import']),
    last_four: describe(z.string(), { en: 'Its last four characters.', fr: 'Ses quatre derniers caractères.' }, [
      'k3Tq',
    ]),
    scopes: describe(z.array(scope), { en: 'Its scopes.', fr: 'Ses portées.' }, [['subscribers:write']]),
    parent_id: describe(
      z.string().nullable(),
      {
        en: 'The key that made it; null for one of an operator.',
        fr: 'La clé qui l’a créée ; null pour celle d’un opérateur.',
      },
      ['key_01k9zq1b3d5f7h9k1m3p5r7t9v'],
    ),
    approval: describe(z.null(), { en: 'Always null.', fr: 'Toujours null.' }),
    expires_at: nullableTimestamp({
      en: 'When it ends; null for a key of an operator.',
      fr: 'Sa fin ; null pour une clé d’opérateur.',
    }),
    last_used_at: nullableTimestamp({
      en: 'The minute of its last call; null before the first.',
      fr: 'La minute de son dernier appel ; null avant le premier.',
    }),
    created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
    revoked_at: nullableTimestamp({
      en: 'When it, or the key that made it, was revoked; else null.',
      fr: 'Date de sa révocation, ou de celle de la clé qui l’a créée ; sinon null.',
    }),
  }),
);

export const keyWithSecret = named(
  'KeyWithSecret',
  key.extend({
    key: describe(z.string(), { en: 'The key. No other answer has it.', fr: 'La clé. Aucune autre réponse ne l’a.' }, [
      'mr_live_…',
    ]),
  }),
);

export const keyList = listOf(key);

export const deletedKey = z.object({
  object,
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
  deleted: constant(true),
});
