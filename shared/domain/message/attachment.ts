import type { Text } from '../../language/text.ts';
import { isBase64 } from '../encoding/base64.ts';
import { characterCount } from '../encoding/characterCount.ts';
import { lastPart } from './fileExtension.ts';
import { forbiddenExtensions } from './forbiddenExtensions.ts';

export type AttachmentProblem =
  | 'filename_empty'
  | 'filename_too_long'
  | 'filename_control_character'
  | 'filename_path'
  | 'filename_encoded_word'
  | 'extension_forbidden'
  | 'base64_invalid';

export interface AttachmentIssue {
  readonly field: 'filename' | 'content';
  readonly problem: AttachmentProblem;
}

/** Characters; also what SES takes (API_Attachment, FileName). */
export const maxFilenameLength = 255;

/** Each thing that is wrong with an attachment; an empty file is none. Size is the message's affair. */
export function attachmentProblem(attachment: { filename: string; content: string }): AttachmentIssue[] {
  const issues: AttachmentIssue[] = [];
  const filename = filenameProblem(attachment.filename);
  if (filename) issues.push({ field: 'filename', problem: filename });
  if (!isBase64(attachment.content)) issues.push({ field: 'content', problem: 'base64_invalid' });
  return issues;
}

function filenameProblem(filename: string): AttachmentProblem | null {
  if (/\p{Cc}/u.test(filename) || !filename.isWellFormed()) return 'filename_control_character';
  if (filename.replace(/[\s.\p{Cf}]/gu, '') === '') return 'filename_empty';
  if (characterCount(filename) > maxFilenameLength) return 'filename_too_long';
  if (/[/\\]/.test(filename)) return 'filename_path';
  // Mail clients decode it: `=?utf-8?Q?x.exe?=` is saved as `x.exe`.
  if (filename.includes('=?')) return 'filename_encoded_word';
  return hasForbiddenExtension(filename) ? 'extension_forbidden' : null;
}

/**
 * On Windows `x.exe:y` is a stream of the file `x.exe`: what stands before a colon counts as a name too. SES looks at
 * what follows the last dot, which of the name `exe` is all of it.
 */
function hasForbiddenExtension(filename: string): boolean {
  return filename.split(':').some((name) => forbiddenExtensions.has(lastPart(name)));
}

export const attachmentProblemTexts: Record<AttachmentProblem, Text> = {
  filename_empty: { en: 'the file has no name', fr: 'le fichier n’a pas de nom' },
  filename_too_long: {
    en: `the file name is longer than ${maxFilenameLength} characters`,
    fr: `le nom du fichier fait plus de ${maxFilenameLength} caractères`,
  },
  filename_control_character: {
    en: 'the file name holds a line break or another control character',
    fr: 'le nom du fichier contient un saut de ligne ou un autre caractère de contrôle',
  },
  filename_path: {
    en: 'the file name must not hold / or \\: give the name alone, without folders',
    fr: 'le nom du fichier ne doit contenir ni / ni \\ : donnez le nom seul, sans dossier',
  },
  filename_encoded_word: {
    en: 'the file name must not hold "=?", which mail clients decode into another name',
    fr: 'le nom du fichier ne doit pas contenir « =? », que les messageries décodent en un autre nom',
  },
  extension_forbidden: {
    en: 'mailboxes reject files with this extension',
    fr: 'les messageries refusent les fichiers qui ont cette extension',
  },
  base64_invalid: {
    en: 'the content is not valid base64 (standard alphabet, with its padding)',
    fr: 'le contenu n’est pas du base64 valide (alphabet standard, avec son remplissage)',
  },
};
