import * as z from 'zod';
import {
  attachmentProblem,
  attachmentProblemTexts,
  encodedSize,
  maxFilenameLength,
  maxMessageBytes,
  maxUploadBytes,
  megabytes,
} from '../../domain/message/attachment.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, optional, timestamp } from './fields.ts';

const notAFile: Text = {
  en: 'must be the type of a file, not "multipart"',
  fr: 'doit être le type d’un fichier, pas « multipart »',
};

/** Media type of a file. */
const fileMediaType = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(; ?[A-Za-z0-9-]+=("[A-Za-z0-9 ._+-]*"|[A-Za-z0-9._+-]+))*$/)
  .refine((value) => !/^multipart\//i.test(value), { params: { text: notAFile } });

/**
 * A `Content-ID` (RFC 2045 section 7) that needs no encoding in a `cid:` URL (RFC 2392). The RFC's `@domain` is optional
 * here, since hardly any client writes it.
 */
const contentId = /^[A-Za-z0-9_][A-Za-z0-9._+-]*(@[A-Za-z0-9.-]+)?$/;

const attachment = z
  .object({
    filename: describe(
      optional(z.string().max(maxFilenameLength)),
      {
        en: 'File name. The content type is inferred from its extension. Default for an upload: its own name.',
        fr: 'Nom du fichier. Le type de contenu est déduit de son extension. Par défaut pour un téléversement : son propre nom.',
      },
      ['invoice.pdf'],
    ),
    content: describe(optional(z.string()), { en: 'The file in base64.', fr: 'Le fichier en base64.' }, ['SGVsbG8=']),
    upload_id: describe(
      optional(z.string().min(1).max(100)),
      {
        en: 'An uploaded file (`POST /uploads`) instead of `content`. In a batch, such files may have 40 MB in total, once encoded.',
        fr: 'Un fichier téléversé (`POST /uploads`) au lieu de `content`. Dans un lot, ces fichiers peuvent faire 40 Mo au total, une fois encodés.',
      },
      ['upl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
    content_type: describe(
      optional(fileMediaType),
      {
        en: 'Media type. Default: inferred from the extension. A `message/*` file is sent as `application/octet-stream`, so that it arrives unchanged.',
        fr: 'Type de média. Par défaut : déduit de l’extension. Un fichier `message/*` est envoyé en `application/octet-stream`, afin d’arriver intact.',
      },
      ['application/pdf'],
    ),
    content_id: describe(
      optional(z.string().max(128).regex(contentId)),
      {
        en: 'Makes the file an inline part that `html` can refer to: `<img src="cid:logo">` for `logo`. Unique in the message.',
        fr: 'Intègre le fichier, pour que `html` puisse y faire référence : `<img src="cid:logo">` pour `logo`. Unique dans le message.',
      },
      ['logo'],
    ),
    path: optional(z.unknown()).meta({ hidden: true }),
  })
  .superRefine(checkAttachment, { when: () => true })
  .meta({
    component: 'Attachment',
    allOf: [
      {
        anyOf: [
          {
            required: ['filename', 'content'],
            properties: { filename: { type: 'string' }, content: { type: 'string' } },
          },
          { required: ['upload_id'], properties: { upload_id: { type: 'string' } } },
        ],
      },
    ],
  });

interface GivenAttachment {
  readonly filename?: string | undefined;
  readonly content?: string | undefined;
  readonly upload_id?: string | undefined;
  readonly path?: unknown;
}

/** Runs even if a field has the wrong type, so that all issues of a file are reported at once. */
function checkAttachment(value: GivenAttachment, context: z.RefinementCtx): void {
  if (typeof value !== 'object' || value === null) return;
  checkSource(value, context);
  const [filename, content] = [value.filename, value.content].map((text) => (typeof text === 'string' ? text : ''));
  const name = printable(filename ?? '');
  if (value.path !== undefined) context.addIssue(customIssue(pathRefused(name), ['path']));
  for (const { field, problem } of attachmentProblem({ filename: filename ?? '', content: content ?? '' })) {
    if (typeof value[field] !== 'string' || problem === 'filename_too_long') continue;
    const text = attachmentProblemTexts[problem];
    context.addIssue(customIssue({ en: `"${name}": ${text.en}`, fr: `« ${name} » : ${text.fr}` }, [field]));
  }
}

/** Exactly one source is allowed. A file in the request needs a name. */
function checkSource({ filename, content, upload_id, path }: GivenAttachment, context: z.RefinementCtx): void {
  const [hasContent, hasUpload] = [content, upload_id].map((value) => (value ?? undefined) !== undefined);
  if (hasContent && hasUpload) context.addIssue(customIssue(sourceTexts.both, ['upload_id']));
  if (!hasContent && !hasUpload && path === undefined) context.addIssue(customIssue(sourceTexts.none, ['content']));
  if (!hasUpload && (filename ?? undefined) === undefined) {
    context.addIssue(customIssue(sourceTexts.required, ['filename']));
  }
}

const sourceTexts = textsOf({
  both: {
    en: 'is given together with "content": use only one of them',
    fr: 'est donné avec « content » : n’en utilisez qu’un',
  },
  none: { en: 'is required, or "upload_id"', fr: 'est obligatoire, ou « upload_id »' },
  required: { en: 'is required', fr: 'est obligatoire' },
});

function pathRefused(name: string): Text {
  return {
    en: `"${name}": "path" is not accepted, because the service never fetches URLs; send the file in "content"`,
    fr: `« ${name} » : « path » n’est pas accepté, car le service ne télécharge jamais d’URL ; envoyez le fichier dans « content »`,
  };
}

/** The attachments of a message. Each issue names the file, and the sizes if it is too large. */
export const attachments = z
  .array(attachment)
  .max(20)
  .superRefine((list, context) => {
    let reached = 0;
    const contentIds = new Set<string>();
    for (const [index, { filename = '', content = '', content_id: contentId }] of list.entries()) {
      if (contentId !== undefined && contentIds.has(contentId)) {
        context.addIssue(customIssue(sameContentId(filename, contentId), [index, 'content_id']));
      }
      if (contentId !== undefined) contentIds.add(contentId);
      const size = encodedSize(content.length);
      reached += size;
      if (reached > maxMessageBytes) {
        context.addIssue(customIssue(tooLarge(filename, size, reached), [index, 'content']));
      }
    }
  });

function sameContentId(filename: string, contentId: string): Text {
  const name = printable(filename);
  return {
    en: `"${name}": another file of the message has the content_id "${contentId}"`,
    fr: `« ${name} » : un autre fichier du message a le content_id « ${contentId} »`,
  };
}

function tooLarge(filename: string, size: number, reached: number): Text {
  const [file, all, limit] = [megabytes(size), megabytes(reached), megabytes(maxMessageBytes)];
  const name = printable(filename);
  return {
    en: `"${name}" takes ${file.en} once encoded and the message reaches ${all.en}; the limit is ${limit.en}`,
    fr: `« ${name} » pèse ${file.fr} une fois encodé et le message atteint ${all.fr} ; la limite est de ${limit.fr}`,
  };
}

/** A given name, shortened and without control characters, for an error message. */
function printable(name: string): string {
  return [...name.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 200)].slice(0, 100).join('');
}

const filename = z
  .string()
  .max(maxFilenameLength)
  .superRefine((value, context) => {
    for (const { problem } of attachmentProblem({ filename: value, content: '' })) {
      if (problem !== 'filename_too_long') context.addIssue(customIssue(attachmentProblemTexts[problem]));
    }
  });

const uploadFields = {
  filename: describe(filename, { en: 'File name.', fr: 'Nom du fichier.' }, ['catalogue.pdf']),
  size: describe(
    z.int().min(1).max(maxUploadBytes),
    { en: 'Exact size in bytes.', fr: 'Taille exacte en octets.' },
    [18_500_000],
  ),
};

export const createUploadRequest = withNameRules(
  z.object({
    ...uploadFields,
    content_type: describe(
      optional(fileMediaType),
      {
        en: 'Media type. Default: inferred from the extension.',
        fr: 'Type de média. Par défaut : déduit de l’extension.',
      },
      ['application/pdf'],
    ),
    checksum_sha256: describe(
      optional(
        z
          .string()
          .max(44)
          .regex(/^[A-Za-z0-9+/]{43}=$/),
      ),
      {
        en: 'SHA-256 of the file in base64. It is part of the signed address: another file is refused.',
        fr: 'SHA-256 du fichier en base64. Il fait partie de l’adresse signée : un autre fichier est refusé.',
      },
      ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    ),
  }),
  { unknown: 'refused' },
);

export const upload = z.object({
  id: describe(
    z.string(),
    { en: 'Identifier, for `attachments[].upload_id`.', fr: 'Identifiant, pour `attachments[].upload_id`.' },
    ['upl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
  ),
  object: constant('upload'),
  filename: describe(z.string(), { en: 'File name.', fr: 'Nom du fichier.' }, ['catalogue.pdf']),
  size: uploadFields.size,
  content_type: describe(z.string(), { en: 'Media type.', fr: 'Type de média.' }, ['application/pdf']),
  method: constant('PUT'),
  url: describe(
    z.string(),
    {
      en: 'Where to upload the file. No key is needed: the address itself is the permission.',
      fr: 'Où téléverser le fichier. Aucune clé n’est nécessaire : l’adresse elle-même vaut autorisation.',
    },
    ['https://files.s3.eu-west-3.amazonaws.com/uploads/…?X-Amz-Signature=…'],
  ),
  headers: describe(
    z.record(z.string(), z.string()),
    {
      en: 'Send exactly these headers: a file of another size, type or checksum is refused.',
      fr: 'Envoyez exactement ces en-têtes : un fichier d’une autre taille, d’un autre type ou d’une autre somme de contrôle est refusé.',
    },
    [{ 'content-type': 'application/pdf', 'content-length': '18500000' }],
  ),
  url_expires_at: timestamp({ en: 'When the address expires.', fr: 'Date d’expiration de l’adresse.' }),
  expires_at: timestamp({
    en: 'When the file expires. Until then it can be attached any number of times.',
    fr: 'Date d’expiration du fichier. Jusque-là, il peut être joint autant de fois que voulu.',
  }),
});
