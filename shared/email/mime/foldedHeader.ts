const preferredLength = 78;
const longestLine = 998;

/**
 * The value of a header, folded (RFC 5322 sections 2.1.1 and 2.2.3) so that unfolding gives it back: lines of 78 where
 * its words allow it, and never over 998. Spaces at its ends mean nothing and go. No line is of spaces alone, which
 * some readers take for the end of the headers.
 */
export function foldedHeader(name: string, value: string): string {
  const [first = '', ...words] = value.trim().split(/ (?=[^ ])/);
  const isTooLong = `${name}: ${first}`.length > longestLine;
  const lines = [isTooLong ? '' : first];
  if (isTooLong) lines.push(first);
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    const start = lines.length === 1 ? `${name}: ` : ' ';
    if (`${start}${last} ${word}`.length > preferredLength) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\r\n ');
}
