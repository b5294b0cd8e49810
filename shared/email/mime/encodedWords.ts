/** 45 bytes are 60 characters of base64, and 72 with what stands around them: an encoded word has 75 at most. */
const bytesOfWord = 45;

/** A text as encoded words (RFC 2047) in UTF-8 and base64, no character cut in two; a reader joins them again. */
export function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesOfWord) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}
