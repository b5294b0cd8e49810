import * as z from 'zod';
import { cancelReasons } from '../../domain/sending/scheduled.ts';
import type { EventType } from '../../domain/webhook/eventType.ts';
import type { Text } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { subscriber } from './subscribers.ts';

const email = {
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
      en: 'Address that it happened to; null where the provider does not say which of several it was.',
      fr: 'Adresse concernée ; null quand le prestataire ne dit pas laquelle parmi plusieurs.',
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

const userAgent = describe(
  z.string(),
  {
    en: 'What fetched the image or the link, as it names itself.',
    fr: 'Ce qui a chargé l’image ou suivi le lien, tel qu’il se nomme.',
  },
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'],
);

const happenings = {
  bounce: describe(
    z.object({
      type: describe(
        z.string(),
        { en: 'Kind of bounce, as SES names it.', fr: 'Sorte de rebond, telle que SES la nomme.' },
        ['Permanent'],
      ),
      subtype: describe(z.string(), { en: 'Closer kind.', fr: 'Précision.' }, ['General']),
      diagnostic: describe(
        z.string().nullable(),
        { en: 'What the receiving server said.', fr: 'Ce que le serveur destinataire a répondu.' },
        ['smtp; 550 5.1.1 user unknown'],
      ),
    }),
    {
      en: 'Why it bounced. Only permanent bounces make an event.',
      fr: 'Pourquoi il a rebondi. Seuls les rebonds définitifs font un événement.',
    },
  ),
  complaint: describe(
    z.object({
      feedback_type: describe(
        z.string().nullable(),
        {
          en: 'Kind of complaint (RFC 5965), null when it is not told.',
          fr: 'Sorte de plainte (RFC 5965), null si elle n’est pas dite.',
        },
        ['abuse'],
      ),
    }),
    { en: 'The complaint.', fr: 'La plainte.' },
  ),
  proxied: describe(
    z.boolean(),
    {
      en: 'True for a privacy relay: nobody may have read it.',
      fr: 'Vrai pour un relais de confidentialité : personne ne l’a peut-être lu.',
    },
    [false],
  ),
  url: describe(z.string(), { en: 'The link.', fr: 'Le lien.' }, ['https://example.com/orders/1']),
  via: describe(z.enum(['api', 'form', 'link', 'feedback']), {
    en: 'How it came: a call, the sign-up form, a link in a message, or the provider’s feedback.',
    fr: 'Par où c’est venu : un appel, le formulaire d’inscription, le lien d’un message, ou un retour du prestataire.',
  }),
};

const cancellation = {
  scheduled_at: describe(
    z.string(),
    { en: 'When it was to go out, ISO 8601 UTC.', fr: 'Date d’envoi prévue, ISO 8601 UTC.' },
    ['2026-12-01T08:00:00.000Z'],
  ),
  reason: describe(
    z.enum(cancelReasons),
    {
      en: '`requested`, or the rule that refused it.',
      fr: '`requested`, ou la règle qui l’a refusé.',
    },
    ['suppressed_recipient'],
  ),
  provider_code: describe(
    z.string().nullable(),
    {
      en: '`send_failed`: the provider’s own code; `Unknown` when nobody can say whether the message went out.',
      fr: '`send_failed` : le code du prestataire ; `Unknown` quand personne ne peut dire si le message est parti.',
    },
    [null],
  ),
};

interface EventDefinition {
  readonly text: Text;
  readonly data: z.ZodObject;
}

/** What each event tells, and when it happens. */
export const events: Readonly<Record<EventType, EventDefinition>> = {
  'email.delivered': {
    text: {
      en: 'The receiving server took the message for a recipient.',
      fr: 'Le serveur destinataire a pris le message pour un destinataire.',
    },
    data: z.object(email),
  },
  'email.opened': {
    text: { en: 'The images of a message were loaded.', fr: 'Les images d’un message ont été chargées.' },
    data: z.object({ ...email, user_agent: userAgent, proxied: happenings.proxied }),
  },
  'email.clicked': {
    text: { en: 'A link of a message was followed.', fr: 'Un lien d’un message a été suivi.' },
    data: z.object({ ...email, url: happenings.url, user_agent: userAgent }),
  },
  'email.bounced': {
    text: {
      en: 'An address does not exist; it is on the suppression list from now on.',
      fr: 'Une adresse n’existe pas ; elle est désormais sur la liste d’exclusion.',
    },
    data: z.object({ ...email, bounce: happenings.bounce }),
  },
  'email.complained': {
    text: {
      en: 'A recipient reported the message as spam and is on the suppression list from now on.',
      fr: 'Un destinataire a signalé le message comme indésirable ; il est désormais sur la liste d’exclusion.',
    },
    data: z.object({ ...email, complaint: happenings.complaint }),
  },
  'email.canceled': {
    text: {
      en: 'A scheduled email will not go out: it was taken back, or a rule refused it when its time had come.',
      fr: 'Un e-mail programmé ne partira pas : il a été annulé, ou une règle l’a refusé le moment venu.',
    },
    data: z.object({ ...email, ...cancellation }),
  },
  'subscriber.created': {
    text: {
      en: 'A subscriber was stored for the first time, whatever the status.',
      fr: 'Un abonné a été enregistré pour la première fois, quel que soit son statut.',
    },
    data: subscriber.extend({ via: happenings.via }),
  },
  'subscriber.unsubscribed': {
    text: { en: 'A subscriber left.', fr: 'Un abonné est parti.' },
    data: subscriber.extend({ via: happenings.via }),
  },
};

/** The body of every delivery. */
export function eventBody(type: EventType): z.ZodObject {
  return z.object({
    id: describe(
      z.string(),
      {
        en: 'The same at each attempt and replay: ignore one that you have seen.',
        fr: 'Le même à chaque tentative et renvoi : ignorez celui que vous avez déjà vu.',
      },
      ['evt_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
    type: describe(z.literal(type), { en: 'Type of the event.', fr: 'Type de l’événement.' }),
    created_at: describe(
      z.string(),
      { en: 'When it happened, ISO 8601 UTC.', fr: 'Quand c’est arrivé, ISO 8601 UTC.' },
      ['2026-11-21T10:30:02.000Z'],
    ),
    data: describe(events[type].data, { en: 'What happened.', fr: 'Ce qui est arrivé.' }),
  });
}
