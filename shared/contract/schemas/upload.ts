import * as z from 'zod';
import { attachmentProblem, attachmentProblemTexts, maxFilenameLength } from '../../domain/message/attachment.ts';
import { maxUploadBytes } from '../../domain/message/upload.ts';
import { custom } from '../../language/issue.ts';
import { describe } from '../describe.ts';
import { optional } from '../optional.ts';
import { fileMediaType } from './email/attachment.ts';
import { object, timestamp } from './email/fields.ts';

const filename = z
  .string()
  .max(maxFilenameLength)
  .superRefine((value, context) => {
    for (const { problem } of attachmentProblem({ filename: value, content: '' })) {
      if (problem !== 'filename_too_long') context.addIssue(custom(attachmentProblemTexts[problem]));
    }
  });

const texts = {
  filename: describe(filename, { en: 'File name.', fr: 'Nom du fichier.' }, ['catalogue.pdf']),
  size: describe(
    z.int().min(1).max(maxUploadBytes),
    { en: 'Its size in bytes, to the byte.', fr: 'Sa taille en octets, à l’octet près.' },
    [18_500_000],
  ),
};

export const createUploadRequest = z.object({
  ...texts,
  content_type: describe(
    optional(fileMediaType),
    {
      en: 'Media type; inferred from the extension when left out.',
      fr: 'Type de média ; déduit de l’extension s’il est absent.',
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
      en: 'SHA-256 of the file in base64: what comes with another is refused. Signed into the address.',
      fr: 'SHA-256 du fichier en base64 : ce qui en a un autre est refusé. Signé dans l’adresse.',
    },
    ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  ),
});

export const upload = z.object({
  id: describe(
    z.string(),
    { en: 'Identifier, for `attachments[].upload_id`.', fr: 'Identifiant, pour `attachments[].upload_id`.' },
    ['upl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
  ),
  object: object('upload'),
  filename: describe(z.string(), { en: 'File name.', fr: 'Nom du fichier.' }, ['catalogue.pdf']),
  size: texts.size,
  content_type: describe(z.string(), { en: 'Media type.', fr: 'Type de média.' }, ['application/pdf']),
  method: describe(z.literal('PUT'), { en: 'Always `PUT`.', fr: 'Toujours `PUT`.' }),
  url: describe(
    z.string(),
    {
      en: 'Where the file is written, without a key: the address is the permission.',
      fr: 'Où le fichier s’écrit, sans clé : l’adresse vaut permission.',
    },
    ['https://files.s3.eu-west-3.amazonaws.com/uploads/…?X-Amz-Signature=…'],
  ),
  headers: describe(
    z.record(z.string(), z.string()),
    {
      en: 'To be sent exactly so: a file of another size, type or checksum is refused.',
      fr: 'À envoyer tels quels : un fichier d’une autre taille, d’un autre type ou d’une autre somme de contrôle est refusé.',
    },
    [{ 'content-type': 'application/pdf', 'content-length': '18500000' }],
  ),
  url_expires_at: timestamp({ en: 'Until when the address is good.', fr: 'Jusqu’à quand l’adresse est valable.' }),
  expires_at: timestamp({
    en: 'Until when the file can be sent, as often as you like.',
    fr: 'Jusqu’à quand le fichier peut être envoyé, autant de fois que voulu.',
  }),
});
