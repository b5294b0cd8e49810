import * as z from 'zod';
import { maxImportBytes } from '../../domain/job.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { always, describe, givenFields, isGiven, named, optional, strictFields } from './fields.ts';
import { singleLine } from './internal/message.ts';
import { jobFields } from './job.ts';
import { fieldName } from './subscriber.ts';

const texts = textsOf({
  consentNeeded: {
    en: 'is required for subscribers: whether you answer for their consent',
    fr: 'est obligatoire pour des abonnés : si vous répondez de leur consentement',
  },
  consentAlone: {
    en: 'is about subscribers: leave it out of a suppression list',
    fr: 'concerne des abonnés : ne le donnez pas pour une liste d’exclusion',
  },
  fieldNeeded: { en: 'is required with "as": "field"', fr: 'est obligatoire avec "as": "field"' },
  fieldAlone: { en: 'belongs to "as": "field"', fr: 'accompagne "as": "field"' },
  ofSubscribers: {
    en: 'is not read in a suppression list: declare it as "ignored"',
    fr: 'n’est pas lue dans une liste d’exclusion : déclarez-la comme « ignored »',
  },
  ofSuppression: {
    en: 'is only read in a suppression list: declare it as "ignored" or as a field',
    fr: 'n’est lue que dans une liste d’exclusion : déclarez-la comme « ignored » ou comme champ',
  },
});

const meanings = [
  'email',
  'firstName',
  'lastName',
  'name',
  'tags',
  'status',
  'unsubscribed',
  'reason',
  'attributes',
  'field',
  'ignored',
] as const;
const ofSuppression: readonly string[] = ['email', 'reason', 'status', 'ignored'];

const column = strictFields({
  header: describe(
    z.string().max(100),
    {
      en: 'Title of the column, as the first line of the file has it.',
      fr: 'Titre de la colonne, tel qu’il figure dans la première ligne du fichier.',
    },
    ['City'],
  ),
  as: describe(
    z.enum(meanings),
    {
      en: 'What it is. `name` is first and last name in one, `tags` are separated by commas, `status` and `unsubscribed` are believed where they say no, `attributes` is a JSON object of fields, `reason` is for suppression lists, `field` is the custom field named in `field`.',
      fr: 'Ce qu’elle est. `name` est le prénom et le nom en un, les `tags` sont séparées par des virgules, `status` et `unsubscribed` sont crus quand ils disent non, `attributes` est un objet JSON de champs, `reason` vaut pour les listes d’exclusion, `field` est le champ personnalisé nommé dans `field`.',
    },
    ['field'],
  ),
  field: describe(
    optional(z.string().max(64).regex(fieldName)),
    {
      en: 'Name of the custom field, with `as: "field"`: 1 to 64 of A-Z a-z 0-9 _.',
      fr: 'Nom du champ personnalisé, avec `as: "field"` : 1 à 64 caractères parmi A-Z a-z 0-9 _.',
    },
    ['city'],
  ),
}).superRefine(
  (given, context) => {
    const { as, field } = givenFields(given);
    if (as === 'field' && !isGiven(field)) context.addIssue(customIssue(texts.fieldNeeded, ['field']));
    if (as !== 'field' && isGiven(field)) context.addIssue(customIssue(texts.fieldAlone, ['field']));
  },
  { when: always },
);

export const createImportRequest = withNameRules(
  z
    .strictObject({
      filename: describe(
        singleLine(1, 255),
        {
          en: 'Name of the file, part of the proof of consent.',
          fr: 'Nom du fichier, qui fait partie de la preuve du consentement.',
        },
        ['people.csv'],
      ),
      size: describe(
        z.int().min(1).max(maxImportBytes),
        { en: 'Size in bytes, at most 1 GB.', fr: 'Taille en octets, 1 Go au plus.' },
        [96],
      ),
      kind: describe(
        z.enum(['subscribers', 'suppression']),
        {
          en: 'People to subscribe, or addresses to suppress.',
          fr: 'Des personnes à abonner, ou des adresses à exclure.',
        },
        ['subscribers'],
      ),
      consent_given: describe(
        optional(z.boolean()),
        {
          en: 'Required for subscribers. `true`: you answer for the consent of everybody in the file, and they are subscribed. `false`: each is `pending` and gets a confirmation message, within the budget of confirmations.',
          fr: 'Obligatoire pour des abonnés. `true` : vous répondez du consentement de toutes les personnes du fichier, et elles sont abonnées. `false` : chacune est `pending` et reçoit un message de confirmation, dans le budget des confirmations.',
        },
        [true],
      ),
      columns: describe(z.array(named('ImportColumn', column)).min(1).max(200), {
        en: 'Every column of the file, in any order: the title of each and what it is. One is the `email`.',
        fr: 'Chaque colonne du fichier, dans un ordre quelconque : son titre et ce qu’elle est. L’une est l’`email`.',
      }),
    })
    .superRefine(
      (given, context) => {
        const { kind, consent_given, columns } = givenFields(given);
        if (kind === 'subscribers' && !isGiven(consent_given)) {
          context.addIssue(customIssue(texts.consentNeeded, ['consent_given']));
        }
        if (kind === 'suppression' && isGiven(consent_given)) {
          context.addIssue(customIssue(texts.consentAlone, ['consent_given']));
        }
        for (const [index, one] of (Array.isArray(columns) ? columns : []).entries()) {
          const { as } = givenFields(one);
          const path = ['columns', index, 'as'];
          const isKnown = (meanings as readonly unknown[]).includes(as);
          if (kind === 'suppression' && isKnown && !ofSuppression.includes(String(as))) {
            context.addIssue(customIssue(texts.ofSubscribers, path));
          }
          if (kind === 'subscribers' && as === 'reason') context.addIssue(customIssue(texts.ofSuppression, path));
        }
      },
      { when: always },
    ),
  { unknown: 'refused' },
);

export const createdImport = named(
  'ImportJob',
  z.object({
    ...jobFields,
    upload: describe(
      named(
        'ImportUpload',
        z.object({
          url: describe(
            z.string(),
            { en: 'Where to `PUT` the file, within an hour.', fr: 'Où envoyer le fichier par `PUT`, avant une heure.' },
            ['https://files.s3.eu-west-3.amazonaws.com/imports/…'],
          ),
          headers: describe(
            z.record(z.string(), z.string()),
            { en: 'Send exactly these: they are signed.', fr: 'À envoyer tels quels : ils sont signés.' },
            [{ 'content-type': 'text/csv', 'content-length': '96' }],
          ),
        }),
      ),
      { en: 'Where the file goes.', fr: 'Où va le fichier.' },
    ),
  }),
);
