/** The largest message that SES takes, once encoded (SES API quotas). */
export const maxMessageBytes = 40 * 1024 * 1024;

/** Bytes that base64 text takes in a MIME part: a CRLF after each 76 characters (RFC 2045 section 6.8). */
export function encodedSize(base64Characters: number): number {
  return base64Characters + Math.ceil(base64Characters / 76) * 2;
}
