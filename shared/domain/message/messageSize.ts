import type { Text } from '../../language/text.ts';

/** The largest message that SES takes, once encoded (SES API quotas). */
export const maxMessageBytes = 40 * 1024 * 1024;

/** Bytes that base64 text takes in a MIME part: a CRLF after each 76 characters (RFC 2045 section 6.8). */
export function encodedSize(base64Characters: number): number {
  return base64Characters + Math.ceil(base64Characters / 76) * 2;
}

/** A size for people. Rounded up, so that what is over a limit never reads as the limit itself. */
export function megabytes(bytes: number): Text {
  return { en: `${inLanguage('en', bytes)} MB`, fr: `${inLanguage('fr', bytes)} Mo` };
}

function inLanguage(language: string, bytes: number): string {
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'ceil' } as const;
  return new Intl.NumberFormat(language, oneDecimal).format(bytes / 1024 / 1024);
}
