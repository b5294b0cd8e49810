import * as z from 'zod';
import { cancelReasons } from '../../../domain/sending/email.ts';
import { describe, named } from '../fields.ts';
import { subscriber } from '../subscriber.ts';

/** Fields of a message. */
export const email = {
  email_id: describe(
    z.string().nullable(),
    {
      en: 'The single email; null for a campaign’s message.',
      fr: 'L’e-mail à l’unité ; null pour un message de campagne.',
    },
    ['email_01k9zq3v5c8r2m4n6p7s9t0wxy'],
  ),
  campaign_id: describe(
    z.string().nullable(),
    { en: 'The campaign; null for a single email.', fr: 'La campagne ; null pour un e-mail à l’unité.' },
    [null],
  ),
  recipient: describe(
    z.string().nullable(),
    {
      en: 'Address of the recipient; null if the provider does not say which of several it was.',
      fr: 'Adresse du destinataire ; null si le prestataire ne dit pas laquelle parmi plusieurs.',
    },
    ['ada@example.net'],
  ),
  subject: describe(z.string().nullable(), { en: 'Subject of the message.', fr: 'Objet du message.' }, [
    'Your receipt',
  ]),
  tags: describe(
    z.array(
      z.object({
        name: describe(z.string(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
        value: describe(z.string(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
      }),
    ),
    { en: 'Labels of the message.', fr: 'Étiquettes du message.' },
    [[{ name: 'category', value: 'receipt' }]],
  ),
};

export const userAgent = describe(
  z.string(),
  {
    en: 'User agent that loaded the image or followed the link.',
    fr: 'Agent utilisateur qui a chargé l’image ou suivi le lien.',
  },
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'],
);

const diagnostic = describe(
  z.string().nullable(),
  { en: 'The answer of the receiving server.', fr: 'La réponse du serveur destinataire.' },
  ['smtp; 550 5.1.1 user unknown'],
);

export const eventFields = {
  bounce: describe(
    named(
      'EventBounce',
      z.object({
        type: describe(
          z.string(),
          { en: 'Type of bounce in the terms of SES.', fr: 'Type de rebond selon les termes de SES.' },
          ['Permanent'],
        ),
        subtype: describe(z.string(), { en: 'Subtype of bounce.', fr: 'Sous-type de rebond.' }, ['General']),
        diagnostic,
      }),
    ),
    {
      en: 'Why the message bounced. Only permanent bounces are reported.',
      fr: 'Pourquoi le message a rebondi. Seuls les rebonds définitifs sont signalés.',
    },
  ),
  complaint: describe(
    named(
      'EventComplaint',
      z.object({
        feedback_type: describe(
          z.string().nullable(),
          {
            en: 'Type of complaint (RFC 5965); null if it is not reported.',
            fr: 'Type de plainte (RFC 5965) ; null s’il n’est pas indiqué.',
          },
          ['abuse'],
        ),
      }),
    ),
    { en: 'The complaint.', fr: 'La plainte.' },
  ),
  delay: describe(
    named(
      'EventDelay',
      z.object({
        type: describe(
          z.string(),
          { en: 'Type of delay in the terms of SES.', fr: 'Type de retard selon les termes de SES.' },
          ['MailboxFull'],
        ),
        diagnostic,
      }),
    ),
    { en: 'Why the message is not delivered yet.', fr: 'Pourquoi le message n’est pas encore livré.' },
  ),
  failure: describe(
    named(
      'EventFailure',
      z.object({
        type: describe(
          z.string(),
          {
            en: 'In the terms of SES: `Transient` or `Undetermined` (a bounce), `Reject` (a virus) or `RenderingFailure`.',
            fr: 'Selon les termes de SES : `Transient` ou `Undetermined` (un rebond), `Reject` (un virus) ou `RenderingFailure`.',
          },
          ['Transient'],
        ),
        diagnostic,
      }),
    ),
    { en: 'Why it failed.', fr: 'Pourquoi l’envoi a échoué.' },
  ),
  proxied: describe(
    z.boolean(),
    {
      en: 'True for a privacy relay: the message may not have been read.',
      fr: 'Vrai pour un relais de confidentialité : le message n’a peut-être pas été lu.',
    },
    [false],
  ),
  url: describe(z.string(), { en: 'The link.', fr: 'Le lien.' }, ['https://example.com/orders/1']),
  topics: describe(
    z.array(
      named(
        'TopicChange',
        z.object({
          id: describe(z.string(), { en: 'The topic.', fr: 'Le type d’e-mail.' }, ['top_3v5c8r2m4n6p7s9t0wxy01k9zq']),
          tag: describe(z.string(), { en: 'Its tag.', fr: 'Son étiquette.' }, ['category:product-news']),
          subscription: describe(z.enum(['opt_in', 'opt_out']), {
            en: '`opt_out`: left. `opt_in`: came back.',
            fr: '`opt_out` : quitté. `opt_in` : revenu.',
          }),
        }),
      ),
    ),
    { en: 'The topics that changed.', fr: 'Les types d’e-mails qui ont changé.' },
  ),
  via: describe(named('SubscriberChangeOrigin', z.enum(['api', 'form', 'link', 'feedback'])), {
    en: 'Origin of the change: an API call, the sign-up form, a link in a message, or feedback of the provider.',
    fr: 'Origine du changement : un appel de l’API, le formulaire d’inscription, le lien d’un message, ou un retour du prestataire.',
  }),
};

export const subscriberOfEvent = named('SubscriberEventData', subscriber.extend({ via: eventFields.via }));

export const scheduledAt = describe(
  z.string(),
  { en: 'The scheduled time, ISO 8601 UTC.', fr: 'Date d’envoi prévue, ISO 8601 UTC.' },
  ['2026-12-01T08:00:00.000Z'],
);

export const cancellation = {
  scheduled_at: scheduledAt,
  reason: describe(
    named('CancelReason', z.enum(cancelReasons)),
    {
      en: '`requested`, or the rule that refused the email.',
      fr: '`requested`, ou la règle qui a refusé l’e-mail.',
    },
    ['suppressed_recipient'],
  ),
  provider_code: describe(
    z.string().nullable(),
    {
      en: '`send_failed`: the provider’s error code; `Unknown` if it is not known whether the message was sent.',
      fr: '`send_failed` : le code d’erreur du prestataire ; `Unknown` si l’on ne sait pas si le message est parti.',
    },
    [null],
  ),
};
