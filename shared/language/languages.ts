/**
 * Every language of the service by its tag (BCP 47), with the locale for its dates. Types and loops follow from this
 * list: after a new entry, the compiler names the missing texts.
 */
export const languages = {
  en: { locale: 'en-GB' },
  fr: { locale: 'fr-FR' },
} satisfies Record<string, { readonly locale: string }>;

export type Language = keyof typeof languages;
export const languageTags = Object.keys(languages) as Language[];

/** For callers that name no language, or none of the list. */
export const defaultLanguage: Language = 'en';

/**
 * Language of an `Accept-Language` header. Only the first preference is read: `fr-FR,fr;q=0.9,en` is French,
 * `en-US,fr;q=0.9` English (RFC 9110 section 12.5.4 allows a server to ignore the rest).
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  const matches = (tag: string) => first === tag || first.startsWith(`${tag}-`);
  return languageTags.find((tag) => matches(tag.toLowerCase())) ?? defaultLanguage;
}

/** One value for each language. */
export function inEachLanguage<Value>(make: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(languageTags.map((language) => [language, make(language)])) as Record<Language, Value>;
}

/** The name of a language, written in another one. */
export function nameOfLanguage(language: Language, writtenIn: Language): string {
  return new Intl.DisplayNames(writtenIn, { type: 'language' }).of(language) ?? language;
}
