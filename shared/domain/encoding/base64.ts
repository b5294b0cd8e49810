const outsideAlphabet = /[^A-Za-z0-9+/]/;

/**
 * True for padded base64 in the standard alphabet (RFC 4648 section 4), with or without MIME's CRLF line breaks.
 * Looks for the first wrong character, which is linear; a pattern over the whole text would overflow on 40 MB.
 */
export function isBase64(text: string): boolean {
  const joined = withoutLineBreaks(text);
  if (joined.length % 4 !== 0) return false;
  return !outsideAlphabet.test(joined.slice(0, joined.length - paddingLength(joined)));
}

/** Bytes that a valid base64 text stands for. */
export function decodedSize(text: string): number {
  const joined = withoutLineBreaks(text);
  return (joined.length / 4) * 3 - paddingLength(joined);
}

function withoutLineBreaks(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '') : text;
}

function paddingLength(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
