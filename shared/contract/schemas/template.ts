import * as z from 'zod';
import { variableName } from '../../domain/content/messageTemplate.ts';
import type { ContentProblem } from '../../domain/content/readContent.ts';
import { bodyProblems, templateProblems } from '../../domain/template/compile.ts';
import type { TemplateSource } from '../../domain/template/template.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { type NameRules, withNameRules } from '../fieldNames.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  givenText,
  isGiven,
  listOf,
  named,
  optional,
  pageQuery,
  queryInteger,
  strictFields,
  timestamp,
  withDefault,
} from './fields.ts';
import { contentBlocks, readableBlocks, shownBlocks } from './internal/campaignContent.ts';
import { singleLine } from './internal/message.ts';

const idExample = 'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy';
const object = constant('template');

const noBraces: Text = {
  en: 'must not contain braces or line breaks',
  fr: 'ne doit contenir ni accolade ni saut de ligne',
};

const texts = textsOf({
  name: { en: 'Name; recipients do not see it.', fr: 'Nom ; les destinataires ne le voient pas.' },
  subject: {
    en: 'Subject; may contain variables. A send can replace it.',
    fr: 'Objet ; peut contenir des variables. Un envoi peut le remplacer.',
  },
  preheader: {
    en: 'Preview text that mail clients show after the subject; only with `content`.',
    fr: 'Texte d’aperçu que les messageries affichent après l’objet ; seulement avec `content`.',
  },
  html: {
    en: 'HTML body with variables (`{{name}}`, `{{name|fallback}}`) in text, or in quoted attributes such as `href`, `src`, `alt` and `title`. Values are always escaped; `{{{name}}}` means `{{name}}`.',
    fr: 'Corps HTML avec des variables (`{{nom}}`, `{{nom|repli}}`) dans du texte, ou dans des attributs entre guillemets comme `href`, `src`, `alt` et `title`. Les valeurs sont toujours échappées ; `{{{nom}}}` équivaut à `{{nom}}`.',
  },
  text: { en: 'Plain-text body; may contain variables.', fr: 'Corps en texte brut ; peut contenir des variables.' },
  content: {
    en: 'The body as blocks, as in a campaign. It replaces `html` and `text`, which are generated from it.',
    fr: 'Le corps en blocs, comme dans une campagne. Il remplace `html` et `text`, qui en sont générés.',
  },
  variables: {
    en: 'Declared variables. A variable that is not declared is a string, which a send must provide unless the content has a fallback for it.',
    fr: 'Variables déclarées. Une variable non déclarée est une chaîne, qu’un envoi doit fournir sauf si le contenu a une valeur par défaut pour elle.',
  },
});

/** Characters that are safe in a merge field of a campaign: `{{firstName|there}}`. */
const fallbackCharacters = /^[^{}\r\n]*$/;
const fallbackText = z
  .string()
  .max(1000)
  .refine((value) => fallbackCharacters.test(value), { params: { text: noBraces } })
  .meta({ pattern: fallbackCharacters.source });

const variableType = named('TemplateVariableType', z.enum(['string', 'number']));
const variable = named(
  'TemplateVariableRequest',
  strictFields({
    key: describe(
      z.string().max(64).regex(variableName),
      {
        en: 'Name: letters, digits, `_`, `.` and `-`, starting with a letter.',
        fr: 'Nom : lettres, chiffres, `_`, `.` et `-`, en commençant par une lettre.',
      },
      ['order'],
    ),
    type: describe(withDefault(variableType, 'string'), { en: 'Type of the value.', fr: 'Type de la valeur.' }, [
      'string',
    ]),
    fallback_value: describe(
      optional(z.union([fallbackText, z.number()])),
      {
        en: 'Used when a send provides no value. Without it, a send must provide one.',
        fr: 'Utilisée quand un envoi ne fournit pas de valeur. Sans elle, un envoi doit en fournir une.',
      },
      ['your order'],
    ),
  }),
);

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

/** Problems of the content in addition to those of the schema, except those that only rendering finds. */
const contentProblems = (given: unknown, isWhole: boolean): ContentProblem[] => {
  const fields = givenFields(given);
  // A value of a wrong type is given; its schema reports it.
  const written = (name: string) => (isGiven(fields[name]) ? (givenText(fields[name]) ?? 'x') : null);
  const variables = Array.isArray(fields.variables) ? fields.variables.slice(0, 1000) : [];
  const source: TemplateSource = {
    subject: written('subject'),
    preheader: written('preheader'),
    html: written('html'),
    text: written('text'),
    blocks: isGiven(fields.content) ? readableBlocks(fields.content) : null,
    variables: variables.map((one, index) => ({
      key: givenText(givenFields(one).key) ?? `${index}`,
      type: 'string',
      fallback: null,
    })),
  };
  const hasBody = source.html !== null || source.text !== null || source.blocks !== null;
  return [...(isWhole || hasBody ? bodyProblems(source, { isWhole }) : []), ...templateProblems(source)];
};

const withContentProblems =
  (isWhole: boolean) =>
  (given: unknown, context: z.RefinementCtx): void => {
    for (const { path, text } of contentProblems(given, isWhole)) context.addIssue(customIssue(text, [...path]));
  };

/** The last three are what the `resend` client adds: a template has no sender here, and no other name. */
const nameRules: NameRules = { unknown: 'refused', ignored: ['from', 'reply_to', 'alias'] };

export const createTemplateRequest = withNameRules(
  z
    .object({
      name: describe(name, texts.name, ['Order sent']),
      subject: describe(optional(subject), texts.subject, ['Order {{order}} is on its way']),
      ...content,
    })
    .superRefine(withContentProblems(true), { when: always }),
  nameRules,
);

export const updateTemplateRequest = withNameRules(
  z
    .object({
      name: describe(optional(name), texts.name, ['Order sent']),
      subject: describe(optional(subject), texts.subject, ['Order {{order}} is on its way']),
      ...content,
    })
    .superRefine(withContentProblems(false), { when: always }),
  nameRules,
);
export type TemplateChange = z.output<typeof updateTemplateRequest>;

export const templatePath = z.object({
  id: describe(z.string(), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [idExample]),
});

export const getTemplateQuery = z.object({
  version: describe(
    queryInteger(1, 999_999).optional(),
    { en: 'Version to read. Default: the newest.', fr: 'Version à lire. Par défaut : la plus récente.' },
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
      en: 'Increases with every change of the content. All versions are kept; an email names the one it was made from.',
      fr: 'Augmente à chaque changement du contenu. Toutes les versions sont conservées ; un e-mail indique celle dont il est issu.',
    },
    [1],
  ),
  created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
};

export const templateList = listOf(named('TemplateSummary', z.object(head)));

export const template = named(
  'Template',
  z.object({
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
          type: describe(variableType, { en: 'Type of the value.', fr: 'Type de la valeur.' }, ['string']),
          fallback_value: describe(
            z.union([z.string(), z.number()]).nullable(),
            { en: 'Used when a send provides no value.', fr: 'Utilisée quand un envoi ne fournit pas de valeur.' },
            [null],
          ),
        }),
      ),
      { en: 'Every variable, declared or not.', fr: 'Chaque variable, déclarée ou non.' },
    ),
  }),
);

export const deletedTemplate = z.object({
  object,
  id: head.id,
  deleted: constant(true),
});
