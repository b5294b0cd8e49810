import { encode, wrap } from 'nodemailer/lib/qp';

/** Undoes a Content-Transfer-Encoding; null for one that is unknown. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer | null {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return bytes;
    case 'base64':
      return Buffer.from(bytes.toString('latin1'), 'base64');
    case 'quoted-printable':
      return decodeQuotedPrintable(bytes.toString('latin1'));
    default:
      return null;
  }
}

/** Base64 in lines of 76 characters, without a line break at the end. */
export function encodeBase64(text: string): Buffer {
  const lines =
    Buffer.from(text, 'utf8')
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/** Quoted-printable keeps every line short, however long the tags that tracking writes. */
export function encodeQuotedPrintable(text: string): Buffer {
  return Buffer.from(wrap(encode(text.replace(/\r?\n/g, '\r\n')), 76), 'latin1');
}

function decodeQuotedPrintable(text: string): Buffer {
  const lines = text.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, '');
  const bytes = lines.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
