import * as z from 'zod';
import { type AddressProblem, parseMailbox } from '../../domain/address.ts';
import { addressProblemTexts } from '../../domain/addressTexts.ts';
import { attachmentProblem, attachmentProblemTexts } from '../../domain/attachment.ts';
import { customHeaderProblem, customHeaderProblemTexts, maxCustomHeaders } from '../../domain/customHeader.ts';
import { encodedSize, maxMessageBytes } from '../../domain/messageSize.ts';
import { config } from '../../platform/config.ts';
import { describe } from '../describe.ts';
import { custom } from '../issues.ts';
import type { Text } from '../text.ts';

const controlCharacters: Text = {
  en: 'must not contain line breaks or other control characters',
  fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
};

/** Told by the schema's own bounds. */
const lengthProblems = new Set<AddressProblem>(['too_short', 'too_long']);

/** One address or `Display Name <address>`; every reason for a refusal has its own sentence. */
export const mailboxText = z
  .string()
  .min(3)
  .max(320)
  .superRefine((value, context) => {
    const result = parseMailbox(value);
    if (!result.ok && !lengthProblems.has(result.problem)) {
      context.addIssue(custom(addressProblemTexts[result.problem]));
    }
  });

const oneOrMany = (most: number) => z.union([mailboxText, z.array(mailboxText).min(1).max(most)]);

const singleLine = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !/[\u0000-\u001f\u007f]/.test(value), { params: { text: controlCharacters } });

const tag = z.object({
  name: describe(tagPart(), 'Label name.', 'Nom de l’étiquette.', ['category']),
  value: describe(tagPart(), 'Label value.', 'Valeur de l’étiquette.', ['receipt']),
});

function tagPart() {
  return z
    .string()
    .min(1)
    .max(256)
    .refine((value) => value === '' || /^[A-Za-z0-9_-]+$/.test(value), {
      params: {
        text: {
          en: 'may only contain A-Z, a-z, 0-9, _ and -',
          fr: 'ne peut contenir que A-Z, a-z, 0-9, _ et -',
        } satisfies Text,
      },
    });
}

const tags = z
  .array(tag)
  .max(20)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of list.entries()) {
      if (seen.has(name)) {
        context.addIssue(
          custom({ en: `"${name}" is given twice`, fr: `« ${name} » est donné deux fois` }, [index, 'name']),
        );
      }
      seen.add(name);
    }
  });

const headers = z.record(z.string(), z.string()).superRefine((record, context) => {
  const names = Object.keys(record);
  if (names.length > maxCustomHeaders) {
    context.addIssue(
      custom({
        en: `must have at most ${maxCustomHeaders} entries`,
        fr: `doit compter au plus ${maxCustomHeaders} entrées`,
      }),
    );
  }
  for (const name of names) {
    const problem = customHeaderProblem(name, record[name] ?? '');
    if (problem) context.addIssue(custom(customHeaderProblemTexts[problem], [name]));
  }
  for (const name of names) {
    const twin = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
    if (twin && names.indexOf(twin) < names.indexOf(name)) {
      context.addIssue(
        custom({ en: `is given twice, as "${twin}" too`, fr: `est donné deux fois, aussi « ${twin} »` }, [name]),
      );
    }
  }
});

const attachment = z
  .object({
    filename: describe(
      z.string(),
      'File name; its extension infers the content type.',
      'Nom du fichier ; son extension donne le type de contenu.',
      ['invoice.pdf'],
    ),
    content: describe(z.string(), 'The file in base64.', 'Le fichier en base64.', ['SGVsbG8=']),
    content_type: describe(
      z
        .string()
        .max(255)
        .regex(
          /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(; ?[A-Za-z0-9-]+=("[A-Za-z0-9 ._+-]*"|[A-Za-z0-9._+-]+))*$/,
        )
        .optional(),
      'Media type; inferred from the extension when left out.',
      'Type de média ; déduit de l’extension s’il est absent.',
      ['application/pdf'],
    ),
    path: z.unknown().optional().meta({ hidden: true }),
  })
  .superRefine((value, context) => {
    if (value.path !== undefined) {
      context.addIssue(
        custom(
          {
            en: `"${printable(value.filename)}": "path" is not accepted, the service never fetches addresses; send the file in "content"`,
            fr: `« ${printable(value.filename)} » : « path » n’est pas accepté, le service ne va jamais chercher d’adresse ; envoyez le fichier dans « content »`,
          },
          ['path'],
        ),
      );
    }
    for (const { field, problem } of attachmentProblem(value)) {
      const text = attachmentProblemTexts[problem];
      const name = printable(value.filename);
      context.addIssue(custom({ en: `"${name}": ${text.en}`, fr: `« ${name} » : ${text.fr}` }, [field]));
    }
  });

const attachments = z
  .array(attachment)
  .max(20)
  .superRefine((list, context) => {
    let reached = 0;
    for (const [index, { filename, content }] of list.entries()) {
      const size = encodedSize(content.length);
      reached += size;
      if (reached > maxMessageBytes) context.addIssue(custom(tooLarge(filename, size, reached), [index, 'content']));
    }
  });

function tooLarge(filename: string, size: number, reached: number): Text {
  const [file, all, limit] = [size, reached, maxMessageBytes].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
  const name = printable(filename);
  return {
    en: `"${name}" takes ${file} MB once encoded and the message reaches ${all} MB; the limit is ${limit} MB`,
    fr: `« ${name} » pèse ${file} Mo une fois encodé et le message atteint ${all} Mo ; la limite est de ${limit} Mo`,
  };
}

/** A name of the caller's, fit for an error message. */
function printable(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 100);
}

const unsubscribeUrl = z
  .string()
  .max(900)
  .superRefine((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const allowed = config('ALLOW_LOOPBACK') ? ['https:', 'http:'] : ['https:'];
    if (!url || !allowed.includes(url.protocol) || !/^[\x21-\x7e]+$/.test(value) || /[<>]/.test(value)) {
      context.addIssue(custom({ en: 'must be an https URL', fr: 'doit être une URL https' }));
    }
  });

const fields = {
  from: describe(
    mailboxText,
    'Sender: an address or `Display Name <address>`, on a verified domain.',
    'Expéditeur : une adresse ou `Nom <adresse>`, sur un domaine vérifié.',
    ['Acme <hello@example.com>'],
  ),
  to: describe(
    oneOrMany(50),
    'One recipient, or 1 to 50. They see each other.',
    'Un destinataire, ou de 1 à 50. Ils se voient entre eux.',
    [['ada@example.net']],
  ),
  subject: describe(singleLine(1, 998), 'Subject.', 'Objet.', ['Your receipt']),
  html: describe(
    z.string().max(400_000).optional(),
    'HTML body. At least one of `html` and `text` is required.',
    'Corps HTML. L’un au moins de `html` et `text` est obligatoire.',
    ['<p>Thank you.</p>'],
  ),
  text: describe(z.string().max(400_000).optional(), 'Plain-text body.', 'Corps en texte brut.', ['Thank you.']),
  cc: describe(
    oneOrMany(50).optional(),
    'Visible copy: one address, or 1 to 50. Counts against the quota.',
    'Copie visible : une adresse, ou de 1 à 50. Comptée dans le quota.',
  ),
  bcc: describe(
    oneOrMany(50).optional(),
    'Blind copy: one address, or 1 to 50. Appears in no header.',
    'Copie cachée : une adresse, ou de 1 à 50. N’apparaît dans aucun en-tête.',
  ),
  reply_to: describe(oneOrMany(25).optional(), 'Reply address, or up to 25.', 'Adresse de réponse, ou jusqu’à 25.', [
    'support@example.com',
  ]),
  replyTo: describe(oneOrMany(25).optional(), 'Other spelling of `reply_to`.', 'Autre graphie de `reply_to`.'),
  headers: describe(
    headers.optional(),
    'Custom headers, at most 15. Headers that the service owns are refused.',
    'En-têtes personnalisés, 15 au plus. Ceux du service sont refusés.',
    [{ 'X-Order': '42' }],
  ),
  tags: describe(
    tags.optional(),
    'Labels, at most 20, with unique names.',
    'Étiquettes, 20 au plus, aux noms uniques.',
  ),
  unsubscribe_url: describe(
    unsubscribeUrl.optional(),
    'Target of one-click unsubscribe (RFC 8058): it must accept a POST and unsubscribe at once.',
    'Cible du désabonnement en un clic (RFC 8058) : elle doit accepter un POST et désabonner aussitôt.',
    ['https://example.com/unsubscribe?u=42'],
  ),
  attachments: describe(attachments.optional(), 'Files, at most 20.', 'Pièces jointes, 20 au plus.'),
};

const noBody: Text = {
  en: 'at least one of "html" and "text" is required',
  fr: 'l’un au moins de « html » et « text » est obligatoire',
};
const twoReplyTos: Text = {
  en: '"reply_to" and "replyTo" are both given and differ',
  fr: '« reply_to » et « replyTo » sont donnés tous deux et diffèrent',
};

/** Checks across fields run whatever else is wrong, so that the caller hears of everything at once. */
const always = () => true;

export const sendEmailRequest = z
  .object(fields)
  .refine((body) => Boolean(body?.html) || Boolean(body?.text), {
    path: ['html'],
    params: { text: noBody },
    when: always,
  })
  .refine((body) => sameReplyTo(body), { path: ['replyTo'], params: { text: twoReplyTos }, when: always });

function sameReplyTo(body: { reply_to?: unknown; replyTo?: unknown } | undefined): boolean {
  if (body?.reply_to === undefined || body.replyTo === undefined) return true;
  return JSON.stringify([body.reply_to].flat()) === JSON.stringify([body.replyTo].flat());
}

export type SendEmailRequest = z.output<typeof sendEmailRequest>;

export const sendEmailHeaders = z.object({
  'idempotency-key': describe(
    z
      .string()
      .min(1)
      .max(200)
      .regex(/^[\x20-\x7e]+$/)
      .optional(),
    'One unique value per send; the same call with the same key is answered again, not sent again. Kept 24 hours.',
    'Une valeur unique par envoi ; le même appel avec la même clé reçoit la même réponse, sans nouvel envoi. Gardée 24 heures.',
    ['order-42-receipt'],
  ),
});

export const emailIdPath = z.object({
  id: describe(z.string(), 'Identifier of the email.', 'Identifiant de l’e-mail.', [
    'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
});

const timestamp = (en: string, fr: string) => describe(z.string(), en, fr, ['2026-11-21T10:30:00.000Z']);
const object = <T extends string>(name: T) => describe(z.literal(name), `Always \`${name}\`.`, `Toujours \`${name}\`.`);

export const sentEmail = z.object({
  id: describe(z.string(), 'Identifier.', 'Identifiant.', ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), 'Sender, as given.', 'Expéditeur, tel que donné.', ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), 'Recipients, as given.', 'Destinataires, tels que donnés.', [['ada@example.net']]),
  subject: describe(z.string(), 'Subject.', 'Objet.', ['Your receipt']),
  created_at: timestamp('When the call was accepted, ISO 8601 UTC.', 'Date d’acceptation, ISO 8601 UTC.'),
});

export const emailStatus = z.enum(['sent', 'delivered', 'bounced', 'complained']);

export const emailDetail = z.object({
  id: describe(z.string(), 'Identifier.', 'Identifiant.', ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), 'Sender.', 'Expéditeur.', ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), 'Recipients.', 'Destinataires.', [['ada@example.net']]),
  cc: describe(z.array(z.string()), 'Visible copies.', 'Copies visibles.', [[]]),
  bcc: describe(z.array(z.string()), 'Blind copies.', 'Copies cachées.', [[]]),
  reply_to: describe(z.array(z.string()), 'Reply addresses.', 'Adresses de réponse.', [[]]),
  subject: describe(z.string(), 'Subject.', 'Objet.', ['Your receipt']),
  tags: describe(
    z.array(
      z.object({
        name: z.string().meta({ text: { en: 'Label name.', fr: 'Nom de l’étiquette.' } }),
        value: z.string().meta({ text: { en: 'Label value.', fr: 'Valeur de l’étiquette.' } }),
      }),
    ),
    'Labels.',
    'Étiquettes.',
    [[]],
  ),
  status: describe(emailStatus, 'The worst status of its recipients.', 'Le pire des statuts de ses destinataires.', [
    'delivered',
  ]),
  recipients: describe(
    z.array(
      z.object({
        email: describe(z.string(), 'Address.', 'Adresse.', ['ada@example.net']),
        status: describe(emailStatus, 'Status of this recipient.', 'Statut de ce destinataire.', ['delivered']),
        updated_at: timestamp('When it last changed.', 'Date de dernier changement.'),
      }),
    ),
    'What became of each recipient.',
    'Ce qu’il est advenu de chaque destinataire.',
  ),
  created_at: timestamp('When the call was accepted.', 'Date d’acceptation.'),
  updated_at: timestamp('When the status last changed.', 'Date du dernier changement de statut.'),
});
