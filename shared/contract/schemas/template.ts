import * as z from 'zod';
import { variableName } from '../../domain/campaign/content/mergeField.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { optional, withDefault } from '../optional.ts';
import { contentBlocks } from './campaign/content.ts';
import { listOf, pageQuery, queryInteger } from './list.ts';
import { singleLine } from './message.ts';

const idExample = 'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy';
const object = describe(z.literal('template'), { en: 'Always `template`.', fr: 'Toujours `template`.' });
const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);

const noBraces: Text = {
  en: 'must not contain braces or line breaks',
  fr: 'ne doit contenir ni accolade ni saut de ligne',
};

const texts = textsOf({
  name: { en: 'Name, for the workspace only.', fr: 'Nom, pour l’espace seulement.' },
  subject: {
    en: 'Subject; may hold variables. A send may give one of its own.',
    fr: 'Objet ; peut contenir des variables. Un envoi peut donner le sien.',
  },
  preheader: {
    en: 'What mail clients show behind the subject; with `content` only.',
    fr: 'Ce que les messageries affichent après l’objet ; avec `content` seulement.',
  },
  html: {
    en: 'HTML body with variables: `{{name}}`, `{{name|fallback}}`, in text or in quotes in `href`, `src`, `alt`, `title` and the like. Values are always escaped; `{{{name}}}` is read as `{{name}}`.',
    fr: 'Corps HTML avec des variables : `{{nom}}`, `{{nom|repli}}`, dans du texte ou entre guillemets dans `href`, `src`, `alt`, `title` et semblables. Les valeurs sont toujours échappées ; `{{{nom}}}` se lit `{{nom}}`.',
  },
  text: { en: 'Plain-text body; may hold variables.', fr: 'Corps en texte brut ; peut contenir des variables.' },
  content: {
    en: 'The body as blocks of a campaign, in place of `html` and `text`, both of which are made of it.',
    fr: 'Le corps en blocs d’une campagne, au lieu de `html` et `text`, qui en sont tirés tous deux.',
  },
  variables: {
    en: 'Variables of which there is more to say. One that is not listed is a string, which a send must give unless its place has a fallback.',
    fr: 'Les variables dont il y a plus à dire. Une variable non listée est une chaîne, qu’un envoi doit donner sauf si sa place a une valeur de repli.',
  },
});

/** It may come to stand in a merge field of a campaign: `{{firstName|there}}`. */
const fallbackCharacters = /^[^{}\r\n]*$/;
const fallbackText = z
  .string()
  .max(1000)
  .refine((value) => fallbackCharacters.test(value), { params: { text: noBraces } })
  .meta({ pattern: fallbackCharacters.source });

const variable = z.object({
  key: describe(
    z.string().max(64).regex(variableName),
    {
      en: 'Name: letters, digits, `_`, `.` and `-`, a letter first.',
      fr: 'Nom : lettres, chiffres, `_`, `.` et `-`, une lettre d’abord.',
    },
    ['order'],
  ),
  type: describe(
    withDefault(z.enum(['string', 'number']), 'string'),
    { en: 'What it holds.', fr: 'Ce qu’elle contient.' },
    ['string'],
  ),
  fallback_value: describe(
    optional(z.union([fallbackText, z.number()])),
    {
      en: 'Stands where a send gives no value; without one, a send must.',
      fr: 'Tient lieu de valeur quand un envoi n’en donne pas ; sans elle, un envoi doit en donner une.',
    },
    ['your order'],
  ),
});

const subject = singleLine(1, 998);
const preheader = singleLine(1, 200);
const body = z.string().max(400_000);
const variables = z.array(variable).max(100);
const name = singleLine(1, 200);

const content = {
  preheader: describe(optional(preheader), texts.preheader, ['It is on its way']),
  html: describe(optional(body), texts.html, ['<p>Hello {{firstName|there}}, order {{order}} is on its way.</p>']),
  text: describe(optional(body), texts.text, ['Hello {{firstName|there}}, order {{order}} is on its way.']),
  content: describe(optional(contentBlocks), texts.content),
  variables: describe(optional(variables), texts.variables),
};

export const createTemplateRequest = z.object({
  name: describe(name, texts.name, ['Order sent']),
  subject: describe(optional(subject), texts.subject, ['Order {{order}} is on its way']),
  ...content,
});

export const updateTemplateRequest = z.object({
  name: describe(optional(name), texts.name, ['Order sent']),
  subject: describe(optional(subject), texts.subject, ['Order {{order}} is on its way']),
  ...content,
});
export type TemplateChange = z.output<typeof updateTemplateRequest>;

export const templatePath = z.object({
  id: describe(z.string(), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [idExample]),
});

export const getTemplateQuery = z.object({
  version: describe(
    queryInteger(1, 999_999).optional(),
    { en: 'An earlier version; the newest when left out.', fr: 'Une version antérieure ; la plus récente à défaut.' },
    [1],
  ),
});

export const listTemplatesQuery = z.object(pageQuery);

const head = {
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
  object,
  name: describe(z.string(), texts.name, ['Order sent']),
  subject: describe(z.string().nullable(), texts.subject, ['Order {{order}} is on its way']),
  version: describe(
    z.int().min(1),
    {
      en: 'Counts the changes of what it says. Every version is kept; an email tells which one it was made of.',
      fr: 'Compte les changements de ce qu’il dit. Chaque version est gardée ; un e-mail dit de laquelle il est fait.',
    },
    [1],
  ),
  created_at: timestamp({ en: 'When it was made.', fr: 'Date de création.' }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
};

/** Blocks as they were given. */
const shownBlocks = z.array(
  z.looseObject({ type: describe(z.string(), { en: 'Kind of block.', fr: 'Sorte de bloc.' }, ['paragraph']) }),
);

export const templateList = listOf(z.object(head));

export const template = z.object({
  ...head,
  preheader: describe(z.string().nullable(), texts.preheader, [null]),
  html: describe(z.string().nullable(), texts.html, [
    '<p>Hello {{firstName|there}}, order {{order}} is on its way.</p>',
  ]),
  text: describe(z.string().nullable(), texts.text, ['Hello {{firstName|there}}, order {{order}} is on its way.']),
  content: describe(shownBlocks.nullable(), texts.content, [null]),
  variables: describe(
    z.array(
      z.object({
        key: describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['order']),
        type: describe(z.enum(['string', 'number']), { en: 'What it holds.', fr: 'Ce qu’elle contient.' }, ['string']),
        fallback_value: describe(
          z.union([z.string(), z.number()]).nullable(),
          { en: 'Stands where a send gives no value.', fr: 'Tient lieu de valeur quand un envoi n’en donne pas.' },
          [null],
        ),
      }),
    ),
    { en: 'Every variable, declared or not.', fr: 'Chaque variable, déclarée ou non.' },
  ),
});

export const deletedTemplate = z.object({
  object,
  id: head.id,
  deleted: describe(z.literal(true), { en: 'Always `true`.', fr: 'Toujours `true`.' }),
});
