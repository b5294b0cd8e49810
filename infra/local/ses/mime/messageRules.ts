import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import { badRequest } from '../errors.ts';
import { decodeEncodedWords, type Header, headerValue } from './headers.ts';
import { type MimePart, walk } from './mimeStructure.ts';

/** 40 MB once encoded. https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
const maximumBytes = 40 * 1024 * 1024;
/** RFC 5321, 4.5.3.1.6: 1,000 octets with the line break, which SES repeats for RawMessage. */
const maximumLineBytes = 998;

/** https://docs.aws.amazon.com/ses/latest/dg/header-fields.html: fields that must not appear twice. */
const singleHeaders = new Set(
  `accept-language archived-at auto-submitted bcc cc content-description content-disposition content-id content-language
  content-length content-location content-md5 content-transfer-encoding content-type date delivered-to
  disposition-notification-to dkim-signature errors-to from importance in-reply-to keywords list-archive list-help
  list-id list-owner list-post list-subscribe list-unsubscribe list-unsubscribe-post message-id mime-version
  organization precedence priority references reply-to return-path sender sensitivity subject thread-index
  thread-topic to user-agent`.split(/\s+/),
);

/** https://docs.aws.amazon.com/ses/latest/dg/mime-types.html: attachments that SES refuses by the end of their name. */
const refusedExtensions = new Set(
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk mad
  maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp mst
  ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros
  vss vst vsw vxd ws wsc wsf wsh xnk`.split(/\s+/),
);

/** The message with CRLF line ends. Throws BadRequestException for one that is empty, too large, or has a line too long. */
export function checkBytes(message: Buffer): Buffer {
  if (message.length === 0) throw badRequest('Raw message must not be empty.');
  if (message.length > maximumBytes) {
    throw badRequest(`Message length is more than ${maximumBytes} bytes long: '${message.length}'.`);
  }
  let bareLineFeeds = false;
  let lineStart = 0;
  for (let at = message.indexOf(0x0a); at >= 0; at = message.indexOf(0x0a, lineStart)) {
    const carriageReturn = message[at - 1] === 0x0d;
    bareLineFeeds ||= !carriageReturn;
    checkLine(at - lineStart - (carriageReturn ? 1 : 0));
    lineStart = at + 1;
  }
  checkLine(message.length - lineStart);
  return bareLineFeeds ? Buffer.from(message.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1') : message;
}

function checkLine(bytes: number): void {
  if (bytes > maximumLineBytes) {
    throw badRequest(`Line of ${bytes} characters: a line must not exceed 1000 characters with its line break.`);
  }
}

/** Throws BadRequestException for a missing From, a field given twice, and attachments that SES refuses by name. */
export function checkStructure(root: MimePart): void {
  if (!headerValue(root.headers, 'From')) throw badRequest("Missing required header 'From'.");
  checkRepeated(root.headers);
  for (const part of walk(root)) checkFileName(part);
}

function checkRepeated(headers: readonly Header[]): void {
  const seen = new Set<string>();
  for (const { name } of headers) {
    const key = name.toLowerCase();
    if (singleHeaders.has(key) && seen.has(key)) throw badRequest(`Duplicate header '${name}'.`);
    seen.add(key);
  }
}

function checkFileName(part: MimePart): void {
  const disposition = headerValue(part.headers, 'Content-Disposition');
  const name = (disposition && parseHeaderValue(disposition).params.filename) ?? part.type.params.name;
  if (!name) return;
  const decoded = decodeEncodedWords(name);
  if (refusedExtensions.has(extension(decoded))) throw badRequest(`Illegal filename '${decoded}'.`);
}

const extension = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
