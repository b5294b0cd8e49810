import { defaultLanguage, type Language } from './languages.ts';

/** A sentence in each language that the service speaks. */
export type Text = Readonly<Record<Language, string>>;

/** A text inside a larger constant. The type makes a missing language an error here, and only here. */
/* @__NO_SIDE_EFFECTS__ */
export function text(words: Text): Text {
  return words;
}

/** A table of texts by name; see `text`. */
/* @__NO_SIDE_EFFECTS__ */
export function textsOf<Name extends string>(table: Readonly<Record<Name, Text>>): Readonly<Record<Name, Text>> {
  return table;
}

/** A custom zod issue with a text of our own: `context.addIssue(customIssue(text, ['to', 2]))`. */
export function customIssue(words: Text, path: PropertyKey[] = [], input?: unknown) {
  return { code: 'custom' as const, path, params: { text: words }, input, message: words[defaultLanguage] };
}
