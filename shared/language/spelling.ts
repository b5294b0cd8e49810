import { type Text, textsOf } from './text.ts';

/*
 * Names of fields as callers spell them: compared without case, accents and separators.
 */

/** The field of which a name is another spelling: `scheduledAt`, `To` and `SUBJECT`. */
export function fieldSpelled(name: string, words: readonly string[]): string | undefined {
  const spellings = spellingsOf(words);
  const form = formsOf(name).find((one) => spellings.has(one));
  return form && spellings.get(form);
}

const foldedWords = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** Words by each of their forms. A hostile body may have a million names, so the words are folded only once. */
function spellingsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const found = foldedWords.get(words);
  if (found) return found;
  const pairs = words.flatMap((word) => formsOf(word).map((form) => [form, word] as const));
  const spellings = new Map(pairs.reverse());
  foldedWords.set(words, spellings);
  return spellings;
}

/** Longer names match no field. */
export const longestName = 100;

/** A name without case, accents and separators, also without a plural ending. */
export function formsOf(name: string): string[] {
  if (name.length > longestName) return [];
  const folded = fold(name);
  const forms = [
    folded,
    ...['s', 'es'].map((ending) => (folded.endsWith(ending) ? folded.slice(0, -ending.length) : '')),
  ];
  return forms.filter((form) => form.length > 1);
}

const fold = (name: string): string => (/^[a-z0-9]*$/.test(name) ? name : foldOther(name));

const foldOther = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The words of a name in snake_case, kebab-case or camelCase. */
export const partsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((part) => part !== '');

const texts = textsOf({
  unknown: { en: 'is not a field of this request', fr: 'n’est pas un champ de cette requête' },
  notRead: {
    en: 'was not read: this request has no such field',
    fr: 'n’a pas été lu : cette requête n’a pas de champ de ce nom',
  },
});

/** The fields that an object has, written into the message of an issue and read from it: zod passes on nothing else. */
export const fieldsMessage = {
  of: (known: readonly string[]): string => `fields: ${known.join(', ')}`,
  read: (message: string): string[] => /^fields: (.*)$/.exec(message)?.[1]?.split(', ') ?? [],
};

/** That a name is unknown, and which one was probably meant. */
export function unknownField(name: string, known: readonly string[]): Text {
  const nearest = nearestName(name, known);
  if (nearest) {
    return {
      en: `${texts.unknown.en}; did you mean \`${nearest}\`?`,
      fr: `${texts.unknown.fr} ; vouliez-vous dire \`${nearest}\` ?`,
    };
  }
  if (known.length === 0) return texts.unknown;
  const names = known.join(', ');
  return { en: `${texts.unknown.en}; it takes: ${names}`, fr: `${texts.unknown.fr} ; elle accepte : ${names}` };
}

/** That a name which alone would be ignored was not read, and which field was probably meant. */
export function notRead(name: string, known: readonly string[]): Text {
  const nearest = nearestName(name, known);
  if (!nearest) return texts.notRead;
  return {
    en: `${texts.notRead.en}; did you mean \`${nearest}\`?`,
    fr: `${texts.notRead.fr} ; vouliez-vous dire \`${nearest}\` ?`,
  };
}

/** The field that a name probably means: another spelling, one or two typing errors, or a word in common. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const spelled = fieldSpelled(name, known);
  if (spelled) return spelled;
  const folded = fold(name.slice(0, longestName));
  const [closest] = known
    .map((field) => ({ field, distance: distance(folded, fold(field)) }))
    .sort((one, other) => one.distance - other.distance);
  if (closest && closest.distance <= Math.min(2, folded.length / 3)) return closest.field;
  const words = partsOf(name.slice(0, longestName));
  const fieldWith = (word: string) => known.find((field) => fieldSpelled(word, partsOf(field)) !== undefined);
  return words.map(fieldWith).find((field) => field !== undefined);
}

/** Levenshtein's distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, counterpart] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === counterpart ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
