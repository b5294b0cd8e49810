import type { ParsedMail, SimpleParserOptions } from 'mailparser';

/** What reads mail is loaded by the first who opens a message or searches: it is a twelfth of a start. */
export async function parseMail(source: Buffer, options: SimpleParserOptions): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  return simpleParser(source, options);
}
