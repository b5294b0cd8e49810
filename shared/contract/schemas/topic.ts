import * as z from 'zod';
import { topicBounds } from '../../domain/workspace/topic.ts';
import { textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, listOf, optional, pageQueryAfter, timestamp } from './fields.ts';
import { singleLine } from './internal/message.ts';

const idExample = 'top_3v5c8r2m4n6p7s9t0wxy01k9zq';

const texts = textsOf({
  name: {
    en: 'Name, as people see it where they choose what they receive.',
    fr: 'Nom, tel que les personnes le voient là où elles choisissent ce qu’elles reçoivent.',
  },
  description: {
    en: 'What the topic is about, in one line under its name; null for none.',
    fr: 'De quoi parle ce type d’e-mail, en une ligne sous son nom ; null s’il n’y en a pas.',
  },
  tag: {
    en: 'The tag (`name:value`) of the emails and campaigns of this topic, unique in the workspace. It never changes.',
    fr: 'L’étiquette (`nom:valeur`) des e-mails et campagnes de ce type, unique dans l’espace. Elle ne change jamais.',
  },
});

const object = constant('topic');
const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]);
const name = singleLine(1, topicBounds.name);
const description = singleLine(1, topicBounds.description);

export const topicPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the topic.', fr: 'Identifiant du type d’e-mail.' }, [idExample]),
});

export const listTopicsQuery = pageQueryAfter({});

export const createTopicRequest = withNameRules(
  z.strictObject({
    name: describe(name, texts.name, ['Product news']),
    description: describe(
      optional(description),
      {
        en: 'What the topic is about, in one line under its name.',
        fr: 'De quoi parle ce type d’e-mail, en une ligne sous son nom.',
      },
      ['What is new, once a month.'],
    ),
    tag: describe(
      optional(z.string().min(1).max(513)),
      {
        en: 'The tag (`name:value`) of the emails and campaigns of this topic, unique in the workspace. Default: `topic:` and the name in lower-case letters and digits.',
        fr: 'L’étiquette (`nom:valeur`) des e-mails et campagnes de ce type, unique dans l’espace. Par défaut : `topic:` et le nom en lettres minuscules et chiffres.',
      },
      ['category:product-news'],
    ),
    default_subscription: describe(optional(z.enum(['opt_in'])), {
      en: 'Only `opt_in`: subscribers receive the topic until they leave it.',
      fr: 'Seulement `opt_in` : les abonnés reçoivent ce type d’e-mail jusqu’à ce qu’ils le quittent.',
    }),
  }),
  { unknown: 'refused' },
);

export const updateTopicRequest = withNameRules(
  z.strictObject({
    name: describe(name.optional(), texts.name, ['Product news']),
    description: describe(description.nullable().optional(), texts.description, ['What is new, once a month.']),
  }),
  { unknown: 'refused' },
);

export const topic = z.object({
  object,
  id,
  name: describe(z.string(), texts.name, ['Product news']),
  description: describe(z.string().nullable(), texts.description, ['What is new, once a month.']),
  tag: describe(z.string(), texts.tag, ['category:product-news']),
  default_subscription: describe(z.literal('opt_in'), {
    en: 'Always `opt_in`: subscribers receive the topic until they leave it.',
    fr: 'Toujours `opt_in` : les abonnés reçoivent ce type d’e-mail jusqu’à ce qu’ils le quittent.',
  }),
  created_at: timestamp({
    en: 'When it was created; for a topic that is older than this field, when the workspace was.',
    fr: 'Date de création ; pour un type plus ancien que ce champ, celle de l’espace.',
  }),
});

export const topicList = listOf(topic);

export const deletedTopic = z.object({ object, id, deleted: constant(true) });
