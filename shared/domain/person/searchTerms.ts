/** A text that finds a person by its start. `shared`: the length of the common start with the previous term. */
export interface SearchTerm {
  readonly term: string;
  readonly shared: number;
}

export interface SearchedFields {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/**
 * The number of words by which a field can be found. With at most 28 terms a person, a change of status, which rewrites
 * all of them, fits into one transaction of 100 writes together with the events of 20 webhooks.
 */
const wordsOfAddress = 12;
const wordsOfName = 8;

/** In UTF-16 units. With the address after it, a term has at most 1,017 bytes in UTF-8; a sort key may have 1,024. */
const longestTerm = 254;

/** Folds case, accents and width (NFKD) and collapses spaces, for comparison. */
export function foldText(text: string): string {
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '');
  return folded.replace(/\s+/gu, ' ').trim().toLowerCase().slice(0, longestTerm).toWellFormed();
}

/**
 * The sorted search terms of a person: address and names, each from its start and from the start of each word, so that
 * `lovelace@ex` and `der berg` find `ada.lovelace@example.com` and `van der Berg`. A term that another one starts with is
 * left out.
 */
export function searchTerms(fields: SearchedFields): SearchTerm[] {
  const sorted = allTerms(fields);
  // A term that starts with another one sorts right after it.
  return withShared(sorted.filter((term, index) => !sorted[index + 1]?.startsWith(term)));
}

function allTerms({ email, firstName, lastName }: SearchedFields): string[] {
  const address = foldText(email);
  const terms = new Set([
    ...wordStarts(address, wordsOfAddress, address.lastIndexOf('@') + 1),
    ...wordStarts(foldText(firstName ?? ''), wordsOfName),
    ...wordStarts(foldText(lastName ?? ''), wordsOfName),
  ]);
  return [...terms].filter((term) => prefixOf(term) !== null).sort();
}

const withShared = (sorted: readonly string[]): SearchTerm[] =>
  sorted.map((term, index) => ({ term, shared: commonStart(term, sorted[index - 1] ?? '') }));

/** The first two characters of a term, which choose its partition; null when it has fewer. */
export function prefixOf(term: string): string | null {
  const characters = [...term].slice(0, 2);
  return characters.length === 2 ? characters.join('') : null;
}

/**
 * True for the first of a person's terms that start with `query`. Such terms are adjacent, so exactly one has a
 * predecessor that does not start with it: each person is listed once.
 */
export function isFirstMatch(shared: number, query: string): boolean {
  return shared < query.length;
}

/** The text from the start of each word on, the whole text first. The word at index `kept` is never left out. */
function wordStarts(folded: string, most: number, kept?: number): string[] {
  const starts = [...folded.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index);
  const chosen = starts.slice(0, most);
  if (kept !== undefined && !chosen.includes(kept) && starts.includes(kept)) chosen.splice(most - 1, 1, kept);
  return [folded, ...chosen.map((start) => folded.slice(start))];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
