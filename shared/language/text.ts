export type Language = 'en' | 'fr';

/** A sentence in each language that the service speaks. */
export interface Text {
  readonly en: string;
  readonly fr: string;
}

/**
 * Language of an `Accept-Language` header. Only the first preference is read: `fr-FR,fr;q=0.9,en` is French,
 * `en-US,fr;q=0.9` English (RFC 9110 section 12.5.4 allows a server to ignore the rest).
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  return first === 'fr' || first.startsWith('fr-') ? 'fr' : 'en';
}
