import * as z from 'zod';
import { formFieldBounds } from '../../domain/workspace/workspace.ts';
import { languageTags } from '../../language/languages.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, strictFields } from './fields.ts';
import { fieldName } from './subscriber.ts';

const texts = textsOf({
  text: {
    en: 'A text above the fields, at most 500 characters; `null` for the usual one.',
    fr: 'Un texte au-dessus des champs, 500 caractères au plus ; `null` pour le texte habituel.',
  },
  privacy: {
    en: 'Your privacy page; `null` for none.',
    fr: 'Votre page de confidentialité ; `null` pour aucune.',
  },
  redirect: {
    en: 'The page to open after the sign-up, on a site that may embed the form; `null` for none.',
    fr: 'La page à ouvrir après l’inscription, sur un site autorisé à afficher le formulaire ; `null` pour aucune.',
  },
  language: {
    en: 'Its language; `null` for the language of each browser.',
    fr: 'Sa langue ; `null` pour la langue de chaque navigateur.',
  },
  fields: {
    en: `Questions besides the address and the names, at most ${formFieldBounds.fields}, in this order. They replace all former ones; \`null\` for none.`,
    fr: `Questions en plus de l’adresse et des noms, ${formFieldBounds.fields} au plus, dans cet ordre. Elles remplacent toutes les précédentes ; \`null\` pour aucune.`,
  },
});

const field = {
  name: describe(
    z.string().max(64).meta({ pattern: fieldName.source }),
    { en: 'Name of the custom field that keeps the answer.', fr: 'Nom du champ personnalisé qui garde la réponse.' },
    ['city'],
  ),
  label: describe(
    z.string().max(formFieldBounds.label),
    { en: 'The question, in one line.', fr: 'La question, sur une ligne.' },
    ['City'],
  ),
};
const choicesText: Text = {
  en: 'The possible answers; none for free text.',
  fr: 'Les réponses possibles ; aucune pour un texte libre.',
};
const fieldsExample = [{ name: 'city', label: 'City', choices: [] }];

export const updateFormRequest = withNameRules(
  z.strictObject({
    text: describe(z.string().max(500).nullable().optional(), texts.text, ['One mail a month.']),
    privacy_url: describe(z.string().max(2000).nullable().optional(), texts.privacy, ['https://example.com/privacy']),
    redirect_url: describe(z.string().max(2000).nullable().optional(), texts.redirect, ['https://example.com/welcome']),
    language: describe(z.enum(languageTags).nullable().optional(), texts.language, ['en']),
    fields: describe(
      z
        .array(
          strictFields({
            ...field,
            choices: describe(z.array(z.string().max(formFieldBounds.answer)).optional(), choicesText, [[]]),
          }),
        )
        .nullable()
        .optional(),
      texts.fields,
      [fieldsExample],
    ),
  }),
  { unknown: 'refused' },
);

export const form = z.object({
  object: constant('form'),
  workspace_id: describe(z.string(), { en: 'Identifier of the workspace.', fr: 'Identifiant de l’espace.' }, [
    'ws_01k9zq2a4b6c8d0e2f4g6h8j0k',
  ]),
  url: describe(z.string(), { en: 'Its public address.', fr: 'Son adresse publique.' }, [
    'https://mail.example.com/join/aB3dE5fG7hJ9',
  ]),
  origins: describe(
    z.array(z.string()),
    { en: 'The sites that may embed it.', fr: 'Les sites autorisés à l’afficher.' },
    [['https://www.example.com']],
  ),
  text: describe(z.string().nullable(), texts.text, ['One mail a month.']),
  privacy_url: describe(z.string().nullable(), texts.privacy, ['https://example.com/privacy']),
  redirect_url: describe(z.string().nullable(), texts.redirect, [null]),
  language: describe(z.enum(languageTags).nullable(), texts.language, ['en']),
  fields: describe(
    z.array(z.object({ ...field, choices: describe(z.array(z.string()), choicesText, [[]]) })),
    texts.fields,
    [fieldsExample],
  ),
});
