import type { Text } from '../../language/text.ts';
import { characterCount, isBase64 } from '../encoding.ts';

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

/** In characters; the limit of SES (API_Attachment, FileName). */
export const maxFilenameLength = 255;

/** The problems of an attachment. An empty file is allowed; sizes are checked for the whole message. */
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
  // Mail clients decode encoded words: `=?utf-8?Q?x.exe?=` is saved as `x.exe`.
  if (filename.includes('=?')) return 'filename_encoded_word';
  return hasForbiddenExtension(filename) ? 'extension_forbidden' : null;
}

/**
 * Checks the parts of a name between colons as well: on Windows, `x.exe:y` is a stream of the file `x.exe`. Like SES, it
 * checks what follows the last dot, which in a name without a dot is the whole name.
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
    en: 'the file name contains a line break or another control character',
    fr: 'le nom du fichier contient un saut de ligne ou un autre caractère de contrôle',
  },
  filename_path: {
    en: 'the file name must not contain / or \\: give the name alone, without folders',
    fr: 'le nom du fichier ne doit contenir ni / ni \\ : donnez le nom seul, sans dossier',
  },
  filename_encoded_word: {
    en: 'the file name must not contain "=?", which mail clients decode into another name',
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

/** Windows drops these from the end of a name and opens `x.exe.` as `x.exe`; the last class is invisible characters. */
const ignoredEnd = /[\s.\p{Cf}]+$/u;

/** The extension of a file name, lower-case, without the dot; empty when there is none. That of `.exe` is `exe`. */
export function fileExtension(filename: string): string {
  return filename.replace(ignoredEnd, '').includes('.') ? lastPart(filename) : '';
}

/** What follows the last dot of a file name, lower-case; the whole name when there is no dot. */
function lastPart(filename: string): string {
  const name = filename.replace(ignoredEnd, '');
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/**
 * Extensions that mailboxes reject, without the dot: the union of three published lists (as of November 2026).
 * SES "Unsupported attachment types" (docs.aws.amazon.com/ses/latest/dg/mime-types.html), which fails the send;
 * Gmail "File types blocked" (support.google.com/mail/answer/6590); Outlook "Blocked attachments" (support.microsoft.com).
 */
const lists = [
  // SES
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk
   mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp
   mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps
   vsmacros vss vst vsw vxd ws wsc wsf wsh xnk`,
  // Gmail, in addition
  `apk appx appxbundle cab diagcab diagcfg diagpkg dll dmg ex ex_ img iso jar jnlp mjs msix msixbundle nsh vhd xll`,
  // Outlook, in addition
  `application appref-ms aspx asx bgi cdxml cnt grp hpj htc mcf mht mhtml msu osd pl printerexport psd1 psdm1 pssc pst
   py pyc pyo pyw pyz pyzw theme udl vbp vhdx webpnp website wsb xbap`,
];

const forbiddenExtensions: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(/\s+/)));

/** The largest encoded message that SES accepts (SES API quotas). */
export const maxMessageBytes = 40 * 1024 * 1024;

/** The bytes of base64 text in a MIME part, with a CRLF after each 76 characters (RFC 2045 section 6.8). */
export function encodedSize(base64Characters: number): number {
  return base64Characters + Math.ceil(base64Characters / 76) * 2;
}

/** A size as text. Rounded up, so that a size above a limit never reads as the limit. */
export function megabytes(bytes: number): Text {
  return { en: `${inLanguage('en', bytes)} MB`, fr: `${inLanguage('fr', bytes)} Mo` };
}

function inLanguage(language: string, bytes: number): string {
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'ceil' } as const;
  return new Intl.NumberFormat(language, oneDecimal).format(bytes / 1024 / 1024);
}

/** The largest file that fits into a message for SES as base64. */
export const maxUploadBytes = 29 * 1024 * 1024;

/** How long an uploaded file can be attached, counted from the request of its upload. */
const uploadLifeSeconds = 24 * 3600;

/**
 * How long an upload address is valid. A presigned URL expires with the credentials of the role that signed it (Amazon S3
 * User Guide, "Download and upload objects with presigned URLs"), so a day cannot be promised.
 */
export const uploadAddressSeconds = 3600;

/** An announced upload. Only the bucket knows whether the file has arrived. */
export interface Upload {
  readonly workspaceId: string;
  readonly id: string;
  readonly filename: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly createdAt: Date;
}

export const uploadEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + uploadLifeSeconds * 1000);
