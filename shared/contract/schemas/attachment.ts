import * as z from 'zod';
import { attachmentProblem, attachmentProblemTexts } from '../../domain/attachment.ts';
import { encodedSize, maxMessageBytes } from '../../domain/messageSize.ts';
import { describe } from '../describe.ts';
import { custom } from '../issues.ts';
import type { Text } from '../text.ts';

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

/** Files of a message; each refusal names the file, and the size when that is the reason. */
export const attachments = z
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
