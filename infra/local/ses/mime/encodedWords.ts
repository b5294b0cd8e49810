const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;

/** Decodes RFC 2047 encoded words in an unfolded header value; one in an unknown charset stays as it is. */
export function decodeEncodedWords(value: string): string {
  const joined = value.replace(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi, '$1');
  return joined.replace(encodedWord, (word, charset: string, encoding: string, text: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text);
    return decodeText(bytes, charset.split('*')[0] ?? 'utf-8') ?? word;
  });
}

/** Null when the charset is unknown or the bytes are not of it. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeQ(text: string): Buffer {
  const spaced = text.replaceAll('_', ' ');
  const bytes = spaced.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
