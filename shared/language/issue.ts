import { defaultLanguage } from './languages.ts';
import type { Text } from './text.ts';

/** Attaches a sentence of our own to a custom zod issue: `context.addIssue(custom(text, ['to', 2]))`. */
export function custom(text: Text, path: PropertyKey[] = [], input?: unknown) {
  return { code: 'custom' as const, path, params: { text }, input, message: text[defaultLanguage] };
}
