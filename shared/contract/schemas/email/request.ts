import * as z from 'zod';
import { custom } from '../../../language/issue.ts';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';
import { headers, mailboxText, oneOrMany, singleLine, tags, unsubscribeUrl } from '../message.ts';
import { track } from '../tracking.ts';
import { attachments } from './attachment.ts';
import { moment } from './scheduled.ts';
import { templateUse } from './template.ts';

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
  subject: describe(
    optional(singleLine(1, 998)),
    {
      en: 'Subject. With a `template` it takes the place of the template’s own.',
      fr: 'Objet. Avec un `template`, il prend la place de celui du modèle.',
    },
    ['Your receipt'],
  ),
  template: describe(optional(templateUse), {
    en: 'What the message is made of, in place of `html` and `text`.',
    fr: 'Ce dont le message est fait, au lieu de `html` et `text`.',
  }),
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
  unsubscribe: describe(
    optional(z.boolean()),
    {
      en: 'The service’s own one-click link for the one recipient, in the headers (RFC 8058) and for `{{unsubscribe_url}}` in `html` and `text`.',
      fr: 'Le lien en un clic du service pour l’unique destinataire, dans les en-têtes (RFC 8058) et pour `{{unsubscribe_url}}` dans `html` et `text`.',
    },
    [true],
  ),
  attachments: describe(optional(attachments), { en: 'Files, at most 20.', fr: 'Pièces jointes, 20 au plus.' }),
  track,
  scheduled_at: describe(
    optional(moment),
    {
      en: 'When it goes out, at most 30 days ahead; at once when left out. Checked now and again then.',
      fr: 'Quand il part, à 30 jours au plus ; aussitôt si absent. Contrôlé maintenant, et de nouveau alors.',
    },
    ['2026-12-01T09:00:00+01:00'],
  ),
};

const noSubject: Text = { en: 'is required', fr: 'est obligatoire' };
const templateAndBody: Text = {
  en: '"template" and "html" or "text" are both given: the template says it all',
  fr: '« template » et « html » ou « text » sont donnés tous deux : le modèle dit tout',
};
const noBody: Text = {
  en: 'at least one of "html" and "text" is required',
  fr: 'l’un au moins de « html » et « text » est obligatoire',
};
const twoReplyTos: Text = {
  en: '"reply_to" and "replyTo" are both given and differ',
  fr: '« reply_to » et « replyTo » sont donnés tous deux et diffèrent',
};

const twoLinks: Text = {
  en: 'excludes "unsubscribe_url"',
  fr: 'exclut « unsubscribe_url »',
};
const severalPeople: Text = {
  en: 'needs one recipient, over "to", "cc" and "bcc"',
  fr: 'demande un seul destinataire, « to », « cc » et « bcc » ensemble',
};

/** What JSON Schema makes of it; under `allOf`, since generators of clients take a bare `anyOf` for other bodies. */
const oneBody = [
  ...['html', 'text'].map((name) => ({
    required: ['subject', name],
    properties: { subject: { type: 'string' }, [name]: { type: 'string', minLength: 1 } },
  })),
  { required: ['template'], properties: { template: { type: 'object' } } },
];

/** Checks across fields run whatever else is wrong, so that the caller hears of everything at once. */
const always = () => true;

export const sendEmailRequest = z
  .object(fields)
  .refine((body) => Boolean(body?.html) || Boolean(body?.text) || hasTemplate(body), {
    path: ['html'],
    params: { text: noBody },
    when: always,
  })
  .refine((body) => !hasTemplate(body) || !(body.html || body.text), {
    path: ['template'],
    params: { text: templateAndBody },
    when: always,
  })
  .refine((body) => (body?.subject ?? undefined) !== undefined || hasTemplate(body), {
    path: ['subject'],
    params: { text: noSubject },
    when: always,
  })
  .refine((body) => sameReplyTo(body), { path: ['replyTo'], params: { text: twoReplyTos }, when: always })
  .superRefine(checkUnsubscribe, { when: always })
  .meta({ allOf: [{ anyOf: oneBody }] });

type Linked = { unsubscribe?: unknown; unsubscribe_url?: unknown; to?: unknown; cc?: unknown; bcc?: unknown };

function checkUnsubscribe(body: Linked | undefined, context: z.RefinementCtx): void {
  if (body?.unsubscribe !== true) return;
  const recipients = [body.to, body.cc, body.bcc].flat().filter((entry) => entry !== undefined && entry !== null);
  if (recipients.length > 1) context.addIssue(custom(severalPeople, ['unsubscribe']));
  if (typeof body.unsubscribe_url === 'string') context.addIssue(custom(twoLinks, ['unsubscribe']));
}

const hasTemplate = (body: { template?: unknown } | undefined): boolean => (body?.template ?? undefined) !== undefined;

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
