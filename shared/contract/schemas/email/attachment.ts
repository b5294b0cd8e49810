import * as z from 'zod';
import { attachmentProblem, attachmentProblemTexts, maxFilenameLength } from '../../../domain/message/attachment.ts';
import { encodedSize, maxMessageBytes, megabytes } from '../../../domain/message/messageSize.ts';
import { custom } from '../../../language/issue.ts';
import { type Text, textsOf } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';

const notAFile: Text = {
  en: 'must be the type of a file, which no "multipart" is',
  fr: 'doit être le type d’un fichier, ce qu’aucun « multipart » n’est',
};

/** Media type of a file. */
export const fileMediaType = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(; ?[A-Za-z0-9-]+=("[A-Za-z0-9 ._+-]*"|[A-Za-z0-9._+-]+))*$/)
  .refine((value) => !/^multipart\//i.test(value), { params: { text: notAFile } });

/**
 * What may stand between the angle brackets of `Content-ID` (RFC 2045 section 7) and, as it is, in a `cid:` address (RFC
 * 2392). The `@domain` of the RFC may be left out, as everybody does.
 */
const contentId = /^[A-Za-z0-9_][A-Za-z0-9._+-]*(@[A-Za-z0-9.-]+)?$/;

const attachment = z
  .object({
    filename: describe(
      optional(z.string().max(maxFilenameLength)),
      {
        en: 'File name; its extension infers the content type. Of an upload, its own name when left out.',
        fr: 'Nom du fichier ; son extension donne le type de contenu. Celui du téléversement, s’il est absent.',
      },
      ['invoice.pdf'],
    ),
    content: describe(optional(z.string()), { en: 'The file in base64.', fr: 'Le fichier en base64.' }, ['SGVsbG8=']),
    upload_id: describe(
      optional(z.string().min(1).max(100)),
      {
        en: 'The file as it was uploaded (`POST /uploads`), in place of `content`. In a batch at most 40 MB of such files in all, encoded.',
        fr: 'Le fichier tel qu’il a été téléversé (`POST /uploads`), au lieu de `content`. Dans un lot, 40 Mo au plus de tels fichiers en tout, une fois encodés.',
      },
      ['upl_01k9zq3v5c8r2m4n6p7s9t0wxy'],
    ),
    content_type: describe(
      optional(fileMediaType),
      {
        en: 'Media type; inferred from the extension when left out. A `message/*` file goes as `application/octet-stream`, so that it arrives byte for byte.',
        fr: 'Type de média ; déduit de l’extension s’il est absent. Un fichier `message/*` part en `application/octet-stream`, afin d’arriver octet pour octet.',
      },
      ['application/pdf'],
    ),
    content_id: describe(
      optional(z.string().max(128).regex(contentId)),
      {
        en: 'Makes the file a part of `html`, which names it: `<img src="cid:logo">` for `logo`. Unique in the message.',
        fr: 'Fait du fichier une partie de `html`, qui le nomme : `<img src="cid:logo">` pour `logo`. Unique dans le message.',
      },
      ['logo'],
    ),
    path: optional(z.unknown()).meta({ hidden: true }),
  })
  .superRefine(checkAttachment, { when: () => true })
  .meta({
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

/** Runs whatever has the wrong type, so that all that is wrong with a file is told at once. */
function checkAttachment(value: GivenAttachment, context: z.RefinementCtx): void {
  if (typeof value !== 'object' || value === null) return;
  checkSource(value, context);
  const [filename, content] = [value.filename, value.content].map((text) => (typeof text === 'string' ? text : ''));
  const name = printable(filename ?? '');
  if (value.path !== undefined) context.addIssue(custom(pathRefused(name), ['path']));
  for (const { field, problem } of attachmentProblem({ filename: filename ?? '', content: content ?? '' })) {
    if (typeof value[field] !== 'string' || problem === 'filename_too_long') continue;
    const text = attachmentProblemTexts[problem];
    context.addIssue(custom({ en: `"${name}": ${text.en}`, fr: `« ${name} » : ${text.fr}` }, [field]));
  }
}

/** The file comes in exactly one way; one that comes with the request has no name but the one that is given. */
function checkSource({ filename, content, upload_id, path }: GivenAttachment, context: z.RefinementCtx): void {
  const [hasContent, hasUpload] = [content, upload_id].map((value) => (value ?? undefined) !== undefined);
  if (hasContent && hasUpload) context.addIssue(custom(sourceTexts.both, ['upload_id']));
  if (!hasContent && !hasUpload && path === undefined) context.addIssue(custom(sourceTexts.none, ['content']));
  if (!hasUpload && (filename ?? undefined) === undefined) context.addIssue(custom(sourceTexts.required, ['filename']));
}

const sourceTexts = textsOf({
  both: {
    en: 'is given beside "content": a file comes in one way',
    fr: 'est donné à côté de « content » : un fichier vient d’une seule façon',
  },
  none: { en: 'is required, or "upload_id"', fr: 'est obligatoire, ou « upload_id »' },
  required: { en: 'is required', fr: 'est obligatoire' },
});

function pathRefused(name: string): Text {
  return {
    en: `"${name}": "path" is not accepted, the service never fetches addresses; send the file in "content"`,
    fr: `« ${name} » : « path » n’est pas accepté, le service ne va jamais chercher d’adresse ; envoyez le fichier dans « content »`,
  };
}

/** Files of a message; each refusal names the file, and the size when that is the reason. */
export const attachments = z
  .array(attachment)
  .max(20)
  .superRefine((list, context) => {
    let reached = 0;
    const contentIds = new Set<string>();
    for (const [index, { filename = '', content = '', content_id: contentId }] of list.entries()) {
      if (contentId !== undefined && contentIds.has(contentId)) {
        context.addIssue(custom(sameContentId(filename, contentId), [index, 'content_id']));
      }
      if (contentId !== undefined) contentIds.add(contentId);
      const size = encodedSize(content.length);
      reached += size;
      if (reached > maxMessageBytes) context.addIssue(custom(tooLarge(filename, size, reached), [index, 'content']));
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

/** A name of the caller's, fit for an error message. */
function printable(name: string): string {
  return [...name.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 200)].slice(0, 100).join('');
}
