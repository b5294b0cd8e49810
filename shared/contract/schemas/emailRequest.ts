import * as z from 'zod';
import { customIssue, type Text } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { always, describe, idempotencyKey, moment, named, optional, strictFields } from './fields.ts';
import { attachments } from './files.ts';
import {
  headers,
  mailboxText,
  maxReplyAddresses,
  oneOrMany,
  singleLine,
  tags,
  track,
  unsubscribeUrl,
} from './internal/message.ts';

const variableValue = z.union([z.string().max(10_000), z.number(), z.boolean()]);

const templateUse = named(
  'TemplateUse',
  strictFields({
    id: describe(z.string().min(1).max(100), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [
      'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy',
    ]),
    variables: describe(
      optional(z.record(z.string(), optional(variableValue))),
      {
        en: 'Values by name. Each becomes a single line. A missing value without a fallback is refused (422).',
        fr: 'Valeurs par nom. Chacune tient sur une seule ligne. Une valeur absente et sans valeur par défaut est refusée (422).',
      },
      [{ order: '42' }],
    ),
  }),
);

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
      en: 'One recipient, or 1 to 50. All of them see each other.',
      fr: 'Un destinataire, ou de 1 à 50. Tous se voient entre eux.',
    },
    [['ada@example.net']],
  ),
  subject: describe(
    optional(singleLine(1, 998)),
    {
      en: 'Subject. With a `template`, it replaces the subject of the template.',
      fr: 'Objet. Avec un `template`, il remplace celui du modèle.',
    },
    ['Your receipt'],
  ),
  template: describe(optional(templateUse), {
    en: 'Template for the content, instead of `html` and `text`.',
    fr: 'Modèle du contenu, au lieu de `html` et `text`.',
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
    en: 'Blind copy: one address, or 1 to 50. Counts against the quota and appears in no header.',
    fr: 'Copie cachée : une adresse, ou de 1 à 50. Comptée dans le quota, n’apparaît dans aucun en-tête.',
  }),
  reply_to: describe(
    optional(oneOrMany(maxReplyAddresses)),
    { en: 'Reply address, or up to 25.', fr: 'Adresse de réponse, ou jusqu’à 25.' },
    ['support@example.com'],
  ),
  replyTo: describe(optional(oneOrMany(maxReplyAddresses)), {
    en: 'Alternative spelling of `reply_to`.',
    fr: 'Autre graphie de `reply_to`.',
  }),
  headers: describe(
    optional(headers),
    {
      en: 'Custom headers, at most 15. Headers that the service sets are refused.',
      fr: 'En-têtes personnalisés, 15 au plus. Ceux que le service écrit lui-même sont refusés.',
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
      en: 'Your address for one-click unsubscribe (RFC 8058). It must accept a POST and unsubscribe immediately.',
      fr: 'Votre adresse de désabonnement en un clic (RFC 8058). Elle doit accepter un POST et désabonner immédiatement.',
    },
    ['https://example.com/unsubscribe?u=42'],
  ),
  unsubscribe: describe(
    optional(z.boolean()),
    {
      en: 'Adds the service’s own one-click unsubscribe link to the headers (RFC 8058) and as `{{unsubscribe_url}}` in `html` and `text`. Needs a single recipient.',
      fr: 'Ajoute le lien de désabonnement en un clic du service aux en-têtes (RFC 8058) et comme `{{unsubscribe_url}}` dans `html` et `text`. Demande un seul destinataire.',
    },
    [true],
  ),
  attachments: describe(optional(attachments), { en: 'Files, at most 20.', fr: 'Pièces jointes, 20 au plus.' }, [
    [{ filename: 'invoice.pdf', content: 'SGVsbG8=' }],
  ]),
  track,
  scheduled_at: describe(
    optional(moment),
    {
      en: 'When to send it, at most 30 days ahead. Default: immediately. The rules are checked now and again at that time.',
      fr: 'Quand l’envoyer, dans 30 jours au plus. Par défaut : immédiatement. Les règles sont contrôlées maintenant et de nouveau à ce moment.',
    },
    ['2026-12-01T09:00:00+01:00'],
  ),
};

const noSubject: Text = { en: 'is required', fr: 'est obligatoire' };
const templateAndBody: Text = {
  en: '"template" and "html" or "text" are both given: use only one of them',
  fr: '« template » et « html » ou « text » sont donnés tous les deux : n’en utilisez qu’un',
};
const noBody: Text = {
  en: 'at least one of "html" and "text" is required',
  fr: 'l’un au moins de « html » et « text » est obligatoire',
};
const twoReplyTos: Text = {
  en: '"reply_to" and "replyTo" are both given and differ',
  fr: '« reply_to » et « replyTo » sont donnés tous les deux et diffèrent',
};

const twoLinks: Text = {
  en: 'cannot be used with "unsubscribe_url"',
  fr: 'ne peut pas être utilisé avec « unsubscribe_url »',
};
const severalPeople: Text = {
  en: 'needs a single recipient in "to", "cc" and "bcc" together',
  fr: 'demande un seul destinataire dans « to », « cc » et « bcc » réunis',
};

/** The alternatives as JSON Schema. A bare `anyOf` would make client generators produce separate body types. */
const oneBody = [
  ...['html', 'text'].map((name) => ({
    required: ['subject', name],
    properties: { subject: { type: 'string' }, [name]: { type: 'string', minLength: 1 } },
  })),
  { required: ['template'], properties: { template: { type: 'object' } } },
];

export const sendEmailRequest = withNameRules(
  z
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
    .meta({ allOf: [{ anyOf: oneBody }] }),
  { unknown: 'ignored', takesSpellings: true },
);

type Linked = { unsubscribe?: unknown; unsubscribe_url?: unknown; to?: unknown; cc?: unknown; bcc?: unknown };

function checkUnsubscribe(body: Linked | undefined, context: z.RefinementCtx): void {
  if (body?.unsubscribe !== true) return;
  const recipients = [body.to, body.cc, body.bcc].flat().filter((entry) => entry !== undefined && entry !== null);
  if (recipients.length > 1) context.addIssue(customIssue(severalPeople, ['unsubscribe']));
  if (typeof body.unsubscribe_url === 'string') context.addIssue(customIssue(twoLinks, ['unsubscribe']));
}

const hasTemplate = (body: { template?: unknown } | undefined): boolean => (body?.template ?? undefined) !== undefined;

function sameReplyTo(body: { reply_to?: unknown; replyTo?: unknown } | undefined): boolean {
  if (body?.reply_to === undefined || body.replyTo === undefined) return true;
  const [one, other] = [[body.reply_to].flat(), [body.replyTo].flat()];
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

export type SendEmailRequest = z.output<typeof sendEmailRequest>;

export const sendEmailHeaders = z.object({
  'idempotency-key': describe(
    idempotencyKey.optional(),
    {
      en: 'One unique value per send. The same call with the same key gets the first answer and is not sent again. Kept for 24 hours.',
      fr: 'Une valeur unique par envoi. Le même appel avec la même clé reçoit la première réponse, sans nouvel envoi. Conservée 24 heures.',
    },
    ['order-42-receipt'],
  ),
});

export const maxBatchEmails = 100;

export const sendBatchRequest = describe(
  named('EmailBatchRequest', z.array(sendEmailRequest).min(1).max(maxBatchEmails)),
  {
    en: '1 to 100 emails, each like the body of `POST /emails`.',
    fr: 'De 1 à 100 e-mails, chacun comme le corps de `POST /emails`.',
  },
);

export const sendBatchHeaders = z.object({
  'idempotency-key': describe(
    sendEmailHeaders.shape['idempotency-key'],
    {
      en: 'One unique value for the whole batch. The same call with the same key gets the first answer, and sends what was not sent yet. Kept for 24 hours.',
      fr: 'Une valeur unique pour tout le lot. Le même appel avec la même clé reçoit la première réponse, et envoie ce qui n’est pas encore parti. Conservée 24 heures.',
    },
    ['receipts-2026-11-21'],
  ),
  'x-batch-validation': describe(
    named('BatchValidation', z.enum(['strict', 'permissive'])).default('strict'),
    {
      en: '`strict`: one refused email refuses all. `permissive`: the others are sent, and `errors` lists the refused ones.',
      fr: '`strict` : un seul e-mail refusé les fait tous refuser. `permissive` : les autres partent, et `errors` énumère les refusés.',
    },
    ['permissive'],
  ),
});
