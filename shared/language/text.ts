import type { Language } from './languages.ts';

/** A sentence in each language that the service speaks. */
export type Text = Readonly<Record<Language, string>>;

/**
 * Texts inside a larger constant. Their type is `Text` whatever they lack, so that a missing language is an error where
 * it is missing and nowhere else.
 */
/* @__NO_SIDE_EFFECTS__ */
export function text(words: Text): Text {
  return words;
}

/** A table of texts by name; see `text`. */
/* @__NO_SIDE_EFFECTS__ */
export function textsOf<Name extends string>(table: Readonly<Record<Name, Text>>): Readonly<Record<Name, Text>> {
  return table;
}
