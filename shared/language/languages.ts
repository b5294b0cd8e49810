/**
 * Every language that the service speaks, by its tag (BCP 47), with the locale in which it writes dates. Types and loops
 * follow from this list: after a new entry the compiler names the texts that are missing.
 */
export const languages = {
  en: { locale: 'en-GB' },
  fr: { locale: 'fr-FR' },
} satisfies Record<string, { readonly locale: string }>;

export type Language = keyof typeof languages;
export const languageTags = Object.keys(languages) as Language[];

/** What is spoken when a caller asks for nothing, or for a language that is not in the list. */
export const defaultLanguage: Language = 'en';

/**
 * Language of an `Accept-Language` header. Only the first preference is read: `fr-FR,fr;q=0.9,en` is French,
 * `en-US,fr;q=0.9` English (RFC 9110 section 12.5.4 allows a server to ignore the rest).
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSpoken = (tag: string) => first === tag || first.startsWith(`${tag}-`);
  return languageTags.find((tag) => isSpoken(tag.toLowerCase())) ?? defaultLanguage;
}

/** One value for each language, such as what is the same in all of them. */
export function inEachLanguage<Value>(make: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(languageTags.map((language) => [language, make(language)])) as Record<Language, Value>;
}

/** The name of a language, as it is written in another one. */
export function nameOfLanguage(language: Language, writtenIn: Language): string {
  return new Intl.DisplayNames(writtenIn, { type: 'language' }).of(language) ?? language;
}
