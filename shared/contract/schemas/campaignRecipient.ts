import * as z from 'zod';
import type { Text } from '../../language/text.ts';
import { constant, describe, listOf, named, optional, pageQuery } from './fields.ts';

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
  'frequency_cap',
  'gone',
  'canceled',
] as const;

export const listRecipientsQuery = z.object({
  ...pageQuery,
  outcome: describe(
    optional(named('CampaignRecipientFilter', z.enum(filters))),
    { en: 'Only people with this outcome or event.', fr: 'Seulement les personnes avec cette issue ou cet événement.' },
    ['opened'],
  ),
});

const flag = (text: Text) => describe(z.boolean(), text, [true]);

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
  delivered: flag({ en: 'Delivered, and not bounced later.', fr: 'Livré, sans rebond ultérieur.' }),
  opened: flag({ en: 'The person opened it.', fr: 'La personne l’a ouvert.' }),
  clicked: flag({ en: 'The person clicked a link.', fr: 'La personne a cliqué sur un lien.' }),
  bounced: flag({ en: 'Bounced for good.', fr: 'Rebond définitif.' }),
  complained: flag({ en: 'The person complained.', fr: 'La personne s’est plainte.' }),
  unsubscribed: flag({ en: 'The person unsubscribed through it.', fr: 'La personne s’est désabonnée par ce message.' }),
});

export const recipientList = listOf(campaignRecipient);

export const linkList = listOf(
  z.object({
    url: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['https://example.com/new']),
    clicks: describe(z.int().min(0), { en: 'People who clicked it.', fr: 'Personnes ayant cliqué.' }, [150]),
  }),
);
