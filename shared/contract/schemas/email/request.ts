import * as z from 'zod';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';
import { headers, mailboxText, oneOrMany, singleLine, tags, unsubscribeUrl } from '../message.ts';
import { track } from '../tracking.ts';
import { attachments } from './attachment.ts';
import { moment } from './scheduled.ts';

const fields = {
  from: describe(
    mailboxText,
    {
      en: 'Sender: an address or `Display Name <address>`, on a verified domain.',
      fr: 'Expéditeur : une adresse ou `Nom <adresse>`, sur un domaine vérifié.',
    },
    ['Acme <hello@example.com>'],
  ),
  to: describe(
    oneOrMany(50),
    {
      en: 'One recipient, or 1 to 50. They see each other.',
      fr: 'Un destinataire, ou de 1 à 50. Ils se voient entre eux.',
    },
    [['ada@example.net']],
  ),
  subject: describe(singleLine(1, 998), { en: 'Subject.', fr: 'Objet.' }, ['Your receipt']),
  html: describe(
    optional(z.string().max(400_000)),
    {
      en: 'HTML body. At least one of `html` and `text` is required.',
      fr: 'Corps HTML. L’un au moins de `html` et `text` est obligatoire.',
    },
    ['<p>Thank you.</p>'],
  ),
  text: describe(optional(z.string().max(400_000)), { en: 'Plain-text body.', fr: 'Corps en texte brut.' }, [
    'Thank you.',
  ]),
  cc: describe(optional(oneOrMany(50)), {
    en: 'Visible copy: one address, or 1 to 50. Counts against the quota.',
    fr: 'Copie visible : une adresse, ou de 1 à 50. Comptée dans le quota.',
  }),
  bcc: describe(optional(oneOrMany(50)), {
    en: 'Blind copy: one address, or 1 to 50. Appears in no header.',
    fr: 'Copie cachée : une adresse, ou de 1 à 50. N’apparaît dans aucun en-tête.',
  }),
  reply_to: describe(
    optional(oneOrMany(25)),
    { en: 'Reply address, or up to 25.', fr: 'Adresse de réponse, ou jusqu’à 25.' },
    ['support@example.com'],
  ),
  replyTo: describe(optional(oneOrMany(25)), {
    en: 'Other spelling of `reply_to`.',
    fr: 'Autre graphie de `reply_to`.',
  }),
  headers: describe(
    optional(headers),
    {
      en: 'Custom headers, at most 15. Headers that the service owns are refused.',
      fr: 'En-têtes personnalisés, 15 au plus. Ceux du service sont refusés.',
    },
    [{ 'X-Order': '42' }],
  ),
  tags: describe(optional(tags), {
    en: 'Labels, at most 20, with unique names.',
    fr: 'Étiquettes, 20 au plus, aux noms uniques.',
  }),
  unsubscribe_url: describe(
    optional(unsubscribeUrl),
    {
      en: 'Target of one-click unsubscribe (RFC 8058): it must accept a POST and unsubscribe at once.',
      fr: 'Cible du désabonnement en un clic (RFC 8058) : elle doit accepter un POST et désabonner aussitôt.',
    },
    ['https://example.com/unsubscribe?u=42'],
  ),
  attachments: describe(optional(attachments), { en: 'Files, at most 20.', fr: 'Pièces jointes, 20 au plus.' }),
  track,
  scheduled_at: describe(
    optional(moment),
    {
      en: 'When it goes out, at most 30 days ahead; at once when left out. Checked now and again then. Not in a batch.',
      fr: 'Quand il part, à 30 jours au plus ; aussitôt si absent. Contrôlé maintenant, et de nouveau alors. Pas dans un lot.',
    },
    ['2026-12-01T09:00:00+01:00'],
  ),
};

const noBody: Text = {
  en: 'at least one of "html" and "text" is required',
  fr: 'l’un au moins de « html » et « text » est obligatoire',
};
const twoReplyTos: Text = {
  en: '"reply_to" and "replyTo" are both given and differ',
  fr: '« reply_to » et « replyTo » sont donnés tous deux et diffèrent',
};

/** What JSON Schema makes of it; under `allOf`, since generators of clients take a bare `anyOf` for other bodies. */
const oneBody = ['html', 'text'].map((name) => ({
  required: [name],
  properties: { [name]: { type: 'string', minLength: 1 } },
}));

/** Checks across fields run whatever else is wrong, so that the caller hears of everything at once. */
const always = () => true;

export const sendEmailRequest = z
  .object(fields)
  .refine((body) => Boolean(body?.html) || Boolean(body?.text), {
    path: ['html'],
    params: { text: noBody },
    when: always,
  })
  .refine((body) => sameReplyTo(body), { path: ['replyTo'], params: { text: twoReplyTos }, when: always })
  .meta({ allOf: [{ anyOf: oneBody }] });

function sameReplyTo(body: { reply_to?: unknown; replyTo?: unknown } | undefined): boolean {
  if (body?.reply_to === undefined || body.replyTo === undefined) return true;
  const [one, other] = [[body.reply_to].flat(), [body.replyTo].flat()];
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

export type SendEmailRequest = z.output<typeof sendEmailRequest>;

const printableAscii = /^[ -~]*$/;
const notPrintable: Text = { en: 'must be printable ASCII', fr: 'doit être de l’ASCII imprimable' };

export const sendEmailHeaders = z.object({
  'idempotency-key': describe(
    z
      .string()
      .min(1)
      .max(200)
      .refine((value) => printableAscii.test(value), { params: { text: notPrintable } })
      .meta({ pattern: printableAscii.source })
      .optional(),
    {
      en: 'One unique value per send; the same call with the same key is answered again, not sent again. Kept 24 hours.',
      fr: 'Une valeur unique par envoi ; le même appel avec la même clé reçoit la même réponse, sans nouvel envoi. Gardée 24 heures.',
    },
    ['order-42-receipt'],
  ),
});
