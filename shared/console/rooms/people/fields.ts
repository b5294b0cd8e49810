import { type Issue, ValidationError } from '../../../contract/errors.ts';
import type { FieldValue } from '../../../domain/person/subscriber.ts';
import { peopleTexts as texts } from './texts.ts';

type Fields = Readonly<Record<string, FieldValue>>;

/** One field a line: `city = Paris`. */
export const linesOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} = ${String(value).replaceAll(/\s*\n\s*/g, ' ')}`)
    .join('\n');

/**
 * The fields of what was written; null for one that was taken away. A value that was left as it was shown keeps its
 * type: an imported "42" stays a text. Throws `validation_error`.
 */
export function fieldsOf(text: string, before: Fields): Record<string, FieldValue | null> {
  const shown = new Map(linesOf(before).split('\n').map(pairOf));
  const fields = new Map<string, FieldValue | null>(Object.keys(before).map((name) => [name, null]));
  const issues: Issue[] = [];
  for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const [name, value] = pairOf(line);
    if (value === undefined) issues.push(withoutSign(line));
    else fields.set(name, shown.get(name) === value ? (before[name] ?? value) : typed(value));
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return Object.fromEntries(fields);
}

function pairOf(line: string): [string, string | undefined] {
  const at = line.indexOf('=');
  return at < 0 ? [line.trim(), undefined] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** A number or a truth, written as JSON writes it; a text otherwise. */
function typed(value: string): FieldValue {
  if (value === 'true' || value === 'false') return value === 'true';
  return value !== '' && String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
}

const withoutSign = (line: string): Issue => ({
  path: 'fields',
  text: {
    en: texts.fieldsLine.en.replace('{line}', () => line.slice(0, 80)),
    fr: texts.fieldsLine.fr.replace('{line}', () => line.slice(0, 80)),
  },
});
