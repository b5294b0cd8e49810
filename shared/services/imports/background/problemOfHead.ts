import type { Text } from '../../../language/text.ts';

/** What the first bytes of a file say against its being CSV in UTF-8; null when nothing does. */
export function problemOfHead(head: Buffer): Text | null {
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return spreadsheet;
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || head.subarray(0, 4096).includes(0)) return wide;
  return isUtf8(head) ? null : otherEncoding;
}

/** A character that the end of the piece cuts is none that is wrong. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const spreadsheet: Text = {
  en: 'is a spreadsheet and no CSV: save it as “CSV UTF-8” and bring that',
  fr: 'est un classeur et non un CSV : enregistrez-le au format « CSV UTF-8 » et apportez celui-ci',
};
const wide: Text = {
  en: 'is written in UTF-16, or is no text: save it as “CSV UTF-8” and bring that',
  fr: 'est en UTF-16, ou n’est pas du texte : enregistrez-le au format « CSV UTF-8 » et apportez celui-ci',
};
const otherEncoding: Text = {
  en: 'is not in UTF-8, so names with accents would be spoilt: save it as “CSV UTF-8” and bring that',
  fr: 'n’est pas en UTF-8, les noms accentués seraient abîmés : enregistrez-le au format « CSV UTF-8 »',
};
