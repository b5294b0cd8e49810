import * as z from 'zod';
import { constant, describe, listOf, optional, pageQuery } from './fields.ts';

/** What became of a person. */
const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'waiting'] as const;

/** What a list of recipients can be filtered by: an outcome, or an event after it. */
const filters = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'skipped',
  'failed',
  'uncertain',
  'waiting',
] as const;

const skipReasons = [
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'left_topic',
  'gone',
  'canceled',
] as const;

export const listRecipientsQuery = z.object({
  ...pageQuery,
  outcome: describe(
    optional(z.enum(filters)),
    { en: 'Only people with this outcome or event.', fr: 'Seulement les personnes avec cette issue ou cet événement.' },
    ['opened'],
  ),
});

const flag = (en: string, fr: string) => describe(z.boolean(), { en, fr }, [true]);

const campaignRecipient = z.object({
  object: constant('campaign_recipient'),
  email: describe(
    z.string(),
    { en: 'Address; of an erased person, an alias.', fr: 'Adresse ; d’une personne effacée, un alias.' },
    ['ada@example.net'],
  ),
  outcome: describe(
    z.enum(outcomes),
    { en: 'What became of the message; exactly one.', fr: 'Ce qu’est devenu le message ; exactement une issue.' },
    ['sent'],
  ),
  reason: describe(
    z.enum(skipReasons).nullable(),
    {
      en: 'Why the person was skipped; null for any other outcome.',
      fr: 'Pourquoi la personne a été écartée ; null pour toute autre issue.',
    },
    [null],
  ),
  delivered: flag('Delivered, and not bounced later.', 'Livré, sans rebond ultérieur.'),
  opened: flag('The person opened it.', 'La personne l’a ouvert.'),
  clicked: flag('The person clicked a link.', 'La personne a cliqué sur un lien.'),
  bounced: flag('Bounced for good.', 'Rebond définitif.'),
  complained: flag('The person complained.', 'La personne s’est plainte.'),
  unsubscribed: flag('The person unsubscribed through it.', 'La personne s’est désabonnée par ce message.'),
});

export const recipientList = listOf(campaignRecipient);

export const linkList = listOf(
  z.object({
    url: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['https://example.com/new']),
    clicks: describe(z.int().min(0), { en: 'People who clicked it.', fr: 'Personnes ayant cliqué.' }, [150]),
  }),
);
