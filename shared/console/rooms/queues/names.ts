import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { effectTexts, kindTexts, nameTexts, queuesTexts } from './texts.ts';

/** A queue that this release has no words for goes by its own name. */
export const queueNamed = (name: string, language: Language): string => known(nameTexts, name)?.[language] ?? name;

/** What it does to put its messages back. */
export const effectOf = (name: string, language: Language): string =>
  (known(effectTexts, name) ?? queuesTexts.effectUnknown)[language];

export const kindNamed = (kind: string, language: Language): string =>
  (known(kindTexts, kind) ?? kindTexts.other)[language];

const known = (texts: Readonly<Record<string, Text>>, name: string): Text | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;
