import * as z from 'zod';
import { adviceChecks } from '../../domain/content/advice.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, optional } from './fields.ts';
import { addressText } from './subscriber.ts';

const campaignId = describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
  'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);

const variant = describe(
  optional(z.int().min(1).max(4)),
  {
    en: 'The variant of an A/B test, from 1 on. Default: the first.',
    fr: 'La variante d’un test A/B, à partir de 1. Par défaut : la première.',
  },
  [1],
);

export const previewCampaignRequest = withNameRules(
  z.strictObject({
    email: describe(
      optional(addressText),
      {
        en: 'Whose merge fields are filled in; needs the scope `subscribers:read`. Default: the fallback of each field.',
        fr: 'La personne dont les champs de fusion sont remplis ; demande la portée `subscribers:read`. Par défaut : la valeur de repli de chaque champ.',
      },
      ['ada@example.net'],
    ),
    variant,
  }),
  { unknown: 'refused' },
);

export const campaignPreview = z.object({
  object: constant('campaign_preview'),
  from: describe(z.string(), { en: 'Sender.', fr: 'Expéditeur.' }, ['Acme <news@example.com>']),
  reply_to: describe(
    z.array(z.string()).nullable(),
    {
      en: 'Addresses that answers go to; null: the sender.',
      fr: 'Adresses auxquelles vont les réponses ; null : l’expéditeur.',
    },
    [null],
  ),
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Ada, autumn is here']),
  preheader: describe(z.string().nullable(), { en: 'Preheader.', fr: 'Texte d’aperçu.' }, ['What we made for you']),
  html: describe(z.string(), { en: 'The message as HTML.', fr: 'Le message en HTML.' }),
  text: describe(z.string(), { en: 'The message as plain text.', fr: 'Le message en texte brut.' }),
  html_bytes: describe(
    z.int().min(0),
    {
      en: 'Size of the HTML. Gmail clips a message above 102 kB.',
      fr: 'Taille du HTML. Gmail coupe au-delà de 102 ko.',
    },
    [8200],
  ),
  links: describe(
    z.array(z.string()),
    { en: 'Addresses that the message links to.', fr: 'Adresses vers lesquelles mène le message.' },
    [['https://example.com/new']],
  ),
  warnings: describe(
    z.array(
      z.object({
        code: describe(z.enum(adviceChecks), { en: 'Stable name of the check.', fr: 'Nom stable du contrôle.' }, [
          'preheader',
        ]),
        message: describe(
          z.string(),
          { en: 'What was found, and what to do.', fr: 'Ce qui a été constaté, et que faire.' },
          ['There is no preview text: mail clients show the first words of the message instead.'],
        ),
      }),
    ),
    { en: 'What deserves a look before the send.', fr: 'Ce qui mérite un regard avant l’envoi.' },
  ),
});

export const testCampaignRequest = withNameRules(
  z.strictObject({
    to: describe(
      z.array(addressText).min(1).max(5),
      {
        en: 'One to five addresses. Each sees their own merge fields, if they are a subscriber.',
        fr: 'De une à cinq adresses. Chacune voit ses propres champs de fusion, si elle est abonnée.',
      },
      [['tester@example.net']],
    ),
    variant,
  }),
  { unknown: 'refused' },
);

export const campaignTest = z.object({
  object: constant('campaign_test'),
  id: campaignId,
  emails: describe(
    z.array(
      z.object({
        id: describe(z.string(), { en: 'Identifier of the email.', fr: 'Identifiant de l’e-mail.' }, [
          'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
        ]),
        to: describe(z.string(), { en: 'Recipient.', fr: 'Destinataire.' }, ['tester@example.net']),
      }),
    ),
    { en: 'One single email for each address.', fr: 'Un e-mail à l’unité pour chaque adresse.' },
  ),
});
