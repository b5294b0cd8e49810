import type { SesContext } from '../context.ts';
import { messageSource, storeSearchText, unindexedMessages } from '../mail/messages.ts';
import { parseMail } from './parseMail.ts';

/** Reading a message takes about a millisecond: what is older is found by what the list shows, until a later search. */
const indexedAtOnce = 500;

/** Reads the bodies that no search has looked at. A send costs nothing for a search that nobody makes. */
export async function indexTexts({ database }: SesContext): Promise<void> {
  for (const id of unindexedMessages(database, indexedAtOnce)) {
    const mail = await parseMail(messageSource(database, id), { skipTextToHtml: true });
    const addresses = [mail.from, mail.to, mail.cc].flat().map((found) => found?.text ?? '');
    storeSearchText(database, id, [...addresses, mail.subject ?? '', mail.text ?? ''].join('\n'));
  }
}
