import * as z from 'zod';
import { addressKey } from '../../domain/address.ts';
import { cancelReasons, emailStatuses } from '../../domain/sending/email.ts';
import { customIssue, type Text, text } from '../../language/text.ts';
import { constant, describe, listOf, moment, named, pageQuery, templateVersion, timestamp } from './fields.ts';
import { addressText } from './subscriber.ts';

export const emailIdPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the email.', fr: 'Identifiant de l’e-mail.' }, [
    'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
});

const types = [
  'scheduled',
  'canceled',
  'accepted',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'opened',
  'clicked',
] as const;

/** One event of an email. Its further fields depend on the type and are named as in webhooks. */
const emailStoryEvent = named(
  'EmailEvent',
  z.object({
    type: describe(z.enum(types), { en: 'What happened.', fr: 'Ce qui s’est passé.' }, ['delivered']),
    recipient: describe(
      z.string().nullable(),
      {
        en: 'The recipient; null if the provider does not say which of several recipients opened or clicked.',
        fr: 'Le destinataire ; null si le prestataire ne dit pas lequel de plusieurs destinataires a ouvert ou cliqué.',
      },
      ['ada@example.net'],
    ),
    at: describe(z.string(), { en: 'When, ISO 8601 UTC.', fr: 'Quand, ISO 8601 UTC.' }, ['2026-11-21T10:30:02.000Z']),
    answer: describe(
      z.string().nullable().optional(),
      {
        en: '`delivered`: the answer of the receiving server, first 200 characters.',
        fr: '`delivered` : la réponse du serveur destinataire, les 200 premiers caractères.',
      },
      ['250 2.0.0 OK'],
    ),
    reason: describe(
      z.string().optional(),
      {
        en: '`delayed`: the provider’s reason, such as `MailboxFull`. `canceled`: the reason, as in `cancel_reason`.',
        fr: '`delayed` : le motif du prestataire, comme `MailboxFull`. `canceled` : le motif, comme dans `cancel_reason`.',
      },
      ['MailboxFull'],
    ),
    scheduled_at: describe(
      z.string().optional(),
      { en: '`scheduled`: the scheduled time.', fr: '`scheduled` : l’heure prévue.' },
      ['2026-12-01T08:00:00.000Z'],
    ),
    bounce: describe(
      z
        .object({
          type: describe(z.string(), { en: 'Type of bounce.', fr: 'Type de rebond.' }, ['Permanent']),
          subtype: describe(z.string(), { en: 'Subtype of bounce.', fr: 'Sous-type de rebond.' }, ['General']),
          diagnostic: describe(
            z.string().nullable(),
            { en: 'The answer of the receiving server.', fr: 'La réponse du serveur destinataire.' },
            ['smtp; 550 5.1.1 user unknown'],
          ),
        })
        .optional(),
      { en: '`bounced`: the reason.', fr: '`bounced` : le motif.' },
    ),
    complaint: describe(
      z
        .object({
          feedback_type: describe(
            z.string().nullable(),
            {
              en: 'The type that the mailbox provider reported.',
              fr: 'Le type signalé par le fournisseur de messagerie.',
            },
            ['abuse'],
          ),
        })
        .optional(),
      { en: '`complained`: the complaint.', fr: '`complained` : la plainte.' },
    ),
    proxied: describe(
      z.boolean().optional(),
      {
        en: '`opened`: true if a privacy relay loaded the images.',
        fr: '`opened` : vrai si un relais de confidentialité a chargé les images.',
      },
      [false],
    ),
    url: describe(
      z.string().optional(),
      {
        en: '`clicked`: the link, first 300 characters.',
        fr: '`clicked` : le lien, les 300 premiers caractères.',
      },
      ['https://example.com/receipt/42'],
    ),
  }),
);

/** The fields about the schedule of an email. */
const scheduleFields = {
  scheduled_at: describe(
    z.string().optional(),
    {
      en: 'The scheduled time, or when it was kept because the provider’s sending rate was used up; absent if it was sent immediately.',
      fr: 'Date d’envoi prévue, ou date à laquelle il a été gardé parce que le débit du prestataire était épuisé ; absente si l’e-mail a été envoyé immédiatement.',
    },
    ['2026-12-01T08:00:00.000Z'],
  ),
  cancel_reason: describe(
    named('CancelReason', z.enum(cancelReasons)).optional(),
    {
      en: 'Why it was canceled: on request (`requested`), or the rule that refused it at its scheduled time.',
      fr: 'Pourquoi il a été annulé : sur demande (`requested`), ou la règle qui l’a refusé à l’heure prévue.',
    },
    ['suppressed_recipient'],
  ),
  provider_code: describe(
    z.string().optional(),
    {
      en: '`send_failed`: the provider’s error code; `Unknown` if it is not known whether the message was sent.',
      fr: '`send_failed` : le code d’erreur du prestataire ; `Unknown` si l’on ne sait pas si le message est parti.',
    },
    ['MessageRejected'],
  ),
};

const emailStatus = named('EmailRecipientStatus', z.enum(emailStatuses));

const tag = named(
  'EmailTag',
  z.object({
    name: describe(z.string(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
    value: describe(z.string(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
  }),
);

/** The fields of an email in a list. */
const summary = {
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: constant('email'),
  from: describe(z.string(), { en: 'Sender.', fr: 'Expéditeur.' }, ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), { en: 'Recipients.', fr: 'Destinataires.' }, [['ada@example.net']]),
  cc: describe(z.array(z.string()), { en: 'Visible copies.', fr: 'Copies visibles.' }, [[]]),
  bcc: describe(z.array(z.string()), { en: 'Blind copies.', fr: 'Copies cachées.' }, [[]]),
  reply_to: describe(z.array(z.string()), { en: 'Reply addresses.', fr: 'Adresses de réponse.' }, [[]]),
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Your receipt']),
  tags: describe(z.array(tag), { en: 'Labels.', fr: 'Étiquettes.' }, [[]]),
  status: describe(
    named('EmailStatus', z.enum(['scheduled', 'canceled', ...emailStatuses])),
    {
      en: 'The worst status of its recipients; `scheduled` or `canceled` if it was not sent.',
      fr: 'Le pire statut de ses destinataires ; `scheduled` ou `canceled` s’il n’a pas été envoyé.',
    },
    ['delivered'],
  ),
  ...scheduleFields,
  created_at: timestamp({ en: 'When the call was accepted.', fr: 'Date d’acceptation.' }),
  updated_at: timestamp({ en: 'When the status last changed.', fr: 'Date du dernier changement de statut.' }),
};

const emailSummary = named('EmailSummary', z.object(summary));

const { created_at, updated_at, ...beforeRecipients } = summary;

export const emailDetail = named(
  'Email',
  z.object({
    ...beforeRecipients,
    recipients: describe(
      z.array(
        z.object({
          email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
          status: describe(emailStatus, { en: 'Status of this recipient.', fr: 'Statut de ce destinataire.' }, [
            'delivered',
          ]),
          updated_at: timestamp({ en: 'When it last changed.', fr: 'Date de dernier changement.' }),
        }),
      ),
      { en: 'The status of each recipient.', fr: 'Le statut de chaque destinataire.' },
    ),
    template: describe(templateVersion.optional(), {
      en: 'The template that it was made from, if any.',
      fr: 'Le modèle dont il est issu, s’il y en a un.',
    }),
    created_at,
    updated_at,
    events: describe(z.array(emailStoryEvent), {
      en: 'The events of the email, oldest first. For each recipient, the first 10 delays, opens and clicks; none of them if the deployment keeps no list of emails.',
      fr: 'Les événements de l’e-mail, du plus ancien au plus récent. Pour chaque destinataire, les 10 premiers retards, ouvertures et clics ; aucun si le déploiement ne tient pas de liste des e-mails.',
    }),
    events_omitted: describe(
      z.int(),
      {
        en: 'Number of further delays, opens and clicks.',
        fr: 'Nombre d’autres retards, ouvertures et clics.',
      },
      [0],
    ),
  }),
);

/** Only rare statuses have a list: for the others, every successful email would cost one more write. */
export const listedStatuses = ['scheduled', 'canceled', 'bounced', 'complained'] as const;

const oneFilter = text({
  en: '"recipient", "status" and "tag" are separate lists: use only one of them',
  fr: '« recipient », « status » et « tag » sont des listes distinctes : n’en donnez qu’une',
});
const notATag: Text = {
  en: 'must be a name and a value, as in "category:receipt"',
  fr: 'doit être un nom et une valeur, comme « category:receipt »',
};
const tagPattern = /^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/;

const boundary = (words: Text) =>
  describe(
    z.iso
      .datetime({ offset: true })
      .max(40)
      .transform((value) => new Date(value).toISOString())
      .optional(),
    words,
    ['2026-11-21T10:30:00.000Z'],
  );

export const listEmailsQuery = z
  .object({
    ...pageQuery,
    recipient: describe(
      addressText.transform(addressKey).optional(),
      {
        en: 'Only what was sent to this address: emails, including copies and blind copies, and messages of campaigns. Compared in lower case.',
        fr: 'Seulement ce qui a été envoyé à cette adresse : e-mails, copies et copies cachées comprises, et messages de campagnes. Comparée en minuscules.',
      },
      ['ada@example.net'],
    ),
    status: describe(
      named('EmailStatusFilter', z.enum(listedStatuses)).optional(),
      {
        en: 'Only emails that are scheduled or canceled, or for which a bounce or a complaint was reported.',
        fr: 'Seulement les e-mails programmés ou annulés, ou pour lesquels un rebond ou une plainte a été signalé.',
      },
      ['bounced'],
    ),
    tag: describe(
      z
        .string()
        .max(513)
        .refine((value) => tagPattern.test(value), { params: { text: notATag } })
        .meta({ pattern: tagPattern.source })
        .optional(),
      {
        en: 'Only emails with this tag, as `name:value`.',
        fr: 'Seulement les e-mails avec cette étiquette, sous la forme `nom:valeur`.',
      },
      ['category:receipt'],
    ),
    since: boundary({
      en: 'Only emails created at or after this time (ISO 8601 with a time zone).',
      fr: 'Seulement les e-mails créés à partir de cette date (ISO 8601 avec fuseau).',
    }),
    until: boundary({
      en: 'Only emails created before this time (ISO 8601 with a time zone).',
      fr: 'Seulement les e-mails créés avant cette date (ISO 8601 avec fuseau).',
    }),
  })
  .superRefine((query, context) => {
    const given = (['recipient', 'status', 'tag'] as const).filter((name) => query?.[name] !== undefined);
    for (const name of given.slice(1)) context.addIssue(customIssue(oneFilter, [name]));
  });

const flag = (words: Text) => describe(z.boolean(), words, [true]);

/** A campaign's message to one person. */
const campaignRecipient = named(
  'CampaignMessage',
  z.object({
    object: constant('campaign_recipient'),
    campaign_id: describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
      'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
    ]),
    name: describe(z.string(), { en: 'Name of the campaign.', fr: 'Nom de la campagne.' }, ['News']),
    from: describe(z.string(), { en: 'Sender.', fr: 'Expéditeur.' }, ['Acme <hello@example.com>']),
    subject: describe(
      z.string(),
      {
        en: 'Subject, with its merge fields; of a test, that of its first variant.',
        fr: 'Objet, avec ses champs de fusion ; d’un test, celui de sa première variante.',
      },
      ['Hello {{firstName|you}}'],
    ),
    email: describe(z.string(), { en: 'The recipient.', fr: 'Le destinataire.' }, ['ada@example.net']),
    outcome: describe(
      z.enum(['sent', 'failed', 'uncertain', 'skipped', 'waiting']),
      {
        en: 'What became of the message: `skipped` was left out after the recipients were frozen, `uncertain` has no answer of the provider.',
        fr: 'Ce qu’est devenu le message : `skipped` a été écarté après le gel des destinataires, `uncertain` est sans réponse du prestataire.',
      },
      ['sent'],
    ),
    reason: describe(z.string().nullable(), { en: '`skipped`: why.', fr: '`skipped` : pourquoi.' }, ['unsubscribed']),
    delivered: flag({ en: 'Whether it was delivered.', fr: 'S’il a été livré.' }),
    opened: flag({ en: 'Whether it was opened.', fr: 'S’il a été ouvert.' }),
    clicked: flag({ en: 'Whether a link was clicked.', fr: 'Si un lien a été cliqué.' }),
    bounced: flag({ en: 'Whether it bounced for good.', fr: 'S’il a rebondi définitivement.' }),
    complained: flag({ en: 'Whether the person complained.', fr: 'Si la personne s’est plainte.' }),
    unsubscribed: flag({
      en: 'Whether the person left through it.',
      fr: 'Si la personne s’est désabonnée par ce message.',
    }),
    created_at: timestamp({ en: 'When the recipients were frozen.', fr: 'Date du gel des destinataires.' }),
  }),
);

export const emailList = named('EmailList', listOf(named('ListedEmail', z.union([emailSummary, campaignRecipient]))));

const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']);
const at = describe(z.string(), { en: 'When it will be sent, ISO 8601 UTC.', fr: 'Date d’envoi, ISO 8601 UTC.' }, [
  '2026-12-01T08:00:00.000Z',
]);

export const updateEmailRequest = z.object({
  scheduled_at: describe(
    moment,
    { en: 'When to send it, at most 30 days ahead.', fr: 'Quand l’envoyer, dans 30 jours au plus.' },
    ['2026-12-01T09:00:00+01:00'],
  ),
});

export const canceledEmail = named(
  'CanceledEmail',
  z.object({
    id,
    object: constant('email'),
    status: constant('canceled'),
  }),
);

export const rescheduledEmail = named(
  'RescheduledEmail',
  z.object({ id, object: constant('email'), scheduled_at: at }),
);
