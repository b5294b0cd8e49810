import * as z from 'zod';
import { attachmentProblem, attachmentProblemTexts, maxFilenameLength } from '../../../domain/message/attachment.ts';
import { encodedSize, maxMessageBytes, megabytes } from '../../../domain/message/messageSize.ts';
import { custom } from '../../../language/issue.ts';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';

const notAFile: Text = {
  en: 'must be the type of a file, which no "multipart" is',
  fr: 'doit être le type d’un fichier, ce qu’aucun « multipart » n’est',
};

/**
 * What may stand between the angle brackets of `Content-ID` (RFC 2045 section 7) and, as it is, in a `cid:` address (RFC
 * 2392). The `@domain` of the RFC may be left out, as everybody does.
 */
const contentId = /^[A-Za-z0-9_][A-Za-z0-9._+-]*(@[A-Za-z0-9.-]+)?$/;

const attachment = z
  .object({
    filename: describe(
      z.string().max(maxFilenameLength),
      {
        en: 'File name; its extension infers the content type.',
        fr: 'Nom du fichier ; son extension donne le type de contenu.',
      },
      ['invoice.pdf'],
    ),
    content: describe(z.string(), { en: 'The file in base64.', fr: 'Le fichier en base64.' }, ['SGVsbG8=']),
    content_type: describe(
      optional(
        z
          .string()
          .max(255)
          .regex(
            /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(; ?[A-Za-z0-9-]+=("[A-Za-z0-9 ._+-]*"|[A-Za-z0-9._+-]+))*$/,
          )
          .refine((value) => !/^multipart\//i.test(value), { params: { text: notAFile } }),
      ),
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
  .superRefine(checkAttachment, { when: () => true });

/** Runs whatever has the wrong type, so that all that is wrong with a file is told at once. */
function checkAttachment(value: { filename: string; content: string; path?: unknown }, context: z.RefinementCtx): void {
  if (typeof value !== 'object' || value === null) return;
  const [filename, content] = [value.filename, value.content].map((text) => (typeof text === 'string' ? text : ''));
  const name = printable(filename ?? '');
  if (value.path !== undefined) context.addIssue(custom(pathRefused(name), ['path']));
  for (const { field, problem } of attachmentProblem({ filename: filename ?? '', content: content ?? '' })) {
    if (typeof value[field] !== 'string' || problem === 'filename_too_long') continue;
    const text = attachmentProblemTexts[problem];
    context.addIssue(custom({ en: `"${name}": ${text.en}`, fr: `« ${name} » : ${text.fr}` }, [field]));
  }
}

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
    for (const [index, { filename, content, content_id: contentId }] of list.entries()) {
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
