/** What `q` finds a person by. `shared` is how many characters a term begins with in common with the one before it. */
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
 * Words of a field that can be searched from their start. A person then has 28 terms at most, and a change of status,
 * which moves every one of them, fits in one transaction of 100 writes beside the events of 20 webhooks.
 */
const wordsOfAddress = 12;
const wordsOfName = 8;

/** Longest term in UTF-16 units: with the address behind it, 1,017 bytes of UTF-8 at most; a sort key may have 1,024. */
const longestTerm = 254;

/** How texts are compared: accents, case and width folded (NFKD), spaces collapsed. */
export function foldText(text: string): string {
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '');
  return folded.replace(/\s+/gu, ' ').trim().toLowerCase().slice(0, longestTerm).toWellFormed();
}

/**
 * The terms of a person in order: address, first and last name, each from its start and from the start of every word
 * in it, so that `lovelace@ex`, `example.com` and `der berg` find `ada.lovelace@example.com` and `van der Berg`. One that
 * another begins with is left out, since what finds it finds the other: `ada` of Ada with that address.
 */
export function searchTerms(fields: SearchedFields): SearchTerm[] {
  const sorted = allTerms(fields);
  // What begins with a term comes right after it.
  return withShared(sorted.filter((term, index) => !sorted[index + 1]?.startsWith(term)));
}

/** As release 1.0 kept them, those that another begins with among them. */
export const formerSearchTerms = (fields: SearchedFields): SearchTerm[] => withShared(allTerms(fields));

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

/** The first two characters of a term, by which terms are spread over partitions; null when it has fewer. */
export function prefixOf(term: string): string | null {
  const characters = [...term].slice(0, 2);
  return characters.length === 2 ? characters.join('') : null;
}

/**
 * True when the term with this `shared` is the first of a person's terms that begin with `query`. Terms that begin alike stand together in
 * order, so exactly one of them has a predecessor that does not: each person is listed once.
 */
export function isFirstMatch(shared: number, query: string): boolean {
  return shared < query.length;
}

/** The text from each word on, the whole first; `kept` is the index of a word that is never left out. */
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
