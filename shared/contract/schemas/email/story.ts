import * as z from 'zod';
import { describe } from '../../describe.ts';

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

/** One thing that happened to an email; what is told besides goes by its type, in the words of the webhooks. */
export const emailStoryEvent = z.object({
  type: describe(z.enum(types), { en: 'What happened.', fr: 'Ce qui s’est passé.' }, ['delivered']),
  recipient: describe(
    z.string().nullable(),
    {
      en: 'To whom; null when the email has several recipients and the provider does not say which of them opened or clicked.',
      fr: 'À qui ; null quand l’e-mail a plusieurs destinataires et que le prestataire ne dit pas lequel a ouvert ou cliqué.',
    },
    ['ada@example.net'],
  ),
  at: describe(z.string(), { en: 'When, ISO 8601 UTC.', fr: 'Quand, ISO 8601 UTC.' }, ['2026-11-21T10:30:02.000Z']),
  answer: describe(
    z.string().nullable().optional(),
    {
      en: '`delivered`: what the receiving server said, its first 200 characters.',
      fr: '`delivered` : ce que le serveur de réception a répondu, ses 200 premiers caractères.',
    },
    ['250 2.0.0 OK'],
  ),
  reason: describe(
    z.string().optional(),
    {
      en: '`delayed`: the provider’s word for why, such as `MailboxFull`. `canceled`: why, as in `cancel_reason`.',
      fr: '`delayed` : le mot du prestataire pour la cause, comme `MailboxFull`. `canceled` : pourquoi, comme dans `cancel_reason`.',
    },
    ['MailboxFull'],
  ),
  scheduled_at: describe(z.string().optional(), { en: '`scheduled`: for when.', fr: '`scheduled` : pour quand.' }, [
    '2026-12-01T08:00:00.000Z',
  ]),
  bounce: describe(
    z
      .object({
        type: describe(z.string(), { en: 'Kind of bounce.', fr: 'Genre de rebond.' }, ['Permanent']),
        subtype: describe(z.string(), { en: 'What kind of that.', fr: 'Sa variante.' }, ['General']),
        diagnostic: describe(
          z.string().nullable(),
          { en: 'What the receiving server said.', fr: 'Ce que le serveur de réception a répondu.' },
          ['smtp; 550 5.1.1 user unknown'],
        ),
      })
      .optional(),
    { en: '`bounced`: why.', fr: '`bounced` : pourquoi.' },
  ),
  complaint: describe(
    z
      .object({
        feedback_type: describe(
          z.string().nullable(),
          { en: 'The mailbox provider’s word for it.', fr: 'Le mot du fournisseur de messagerie.' },
          ['abuse'],
        ),
      })
      .optional(),
    { en: '`complained`: how.', fr: '`complained` : comment.' },
  ),
  proxied: describe(
    z.boolean().optional(),
    {
      en: '`opened`: true when a relay fetched the images in the reader’s place.',
      fr: '`opened` : vrai quand un relais a chargé les images à la place du lecteur.',
    },
    [false],
  ),
  url: describe(
    z.string().optional(),
    {
      en: '`clicked`: the link, its first 300 characters.',
      fr: '`clicked` : le lien, ses 300 premiers caractères.',
    },
    ['https://example.com/receipt/42'],
  ),
});
