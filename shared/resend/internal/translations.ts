import { contactTranslations } from './contacts.ts';
import { emailTranslations } from './emails.ts';
import { segmentTranslations } from './segments.ts';
import type { Translation } from './translation.ts';

/** Every call of the client that is answered. */
export const translations: readonly Translation[] = [
  ...emailTranslations,
  ...segmentTranslations,
  ...contactTranslations,
];
