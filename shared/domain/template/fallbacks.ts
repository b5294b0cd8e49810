import type { DeclaredVariable } from './template.ts';

/** `{{name}}` without a fallback of its own. */
const bare = /\{\{\s*([A-Za-z][A-Za-z0-9_.-]{0,63})\s*(?:\|\s*)?\}\}/g;

/** What was written, with the declared fallbacks where it stands: a campaign knows of no declarations. */
export function withFallbacks<T>(value: T, variables: readonly DeclaredVariable[]): T {
  const declared = new Map(variables.map(({ key, fallback }) => [key, fallback]));
  const inText = (text: string) =>
    text.replace(bare, (field, name: string) => {
      const fallback = declared.get(name) ?? '';
      return fallback === '' ? field : `{{${name}|${fallback}}}`;
    });
  return changed(value, inText) as T;
}

function changed(value: unknown, inText: (text: string) => string): unknown {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map((entry) => changed(entry, inText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, changed(entry, inText)]));
}
