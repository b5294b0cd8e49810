import { type MergePerson, mergeValue } from '../content/mergeField.ts';
import { escapeHtml, type Template, type Variable } from './template.ts';

/** The values that every message shares unless its own stand in their place: fallbacks and constants. */
export function defaultData({ variables }: Pick<Template, 'variables'>): Record<string, string> {
  return Object.fromEntries(variables.map((variable) => [variable.name, inPart(variable, fallbackOf(variable))]));
}

/** The values of one person, only those that differ from the shared ones. */
export function personalData(
  { variables }: Pick<Template, 'variables'>,
  person: MergePerson,
  unsubscribeUrl: string,
): Record<string, string> {
  const own = variables.flatMap((variable): [string, string][] => {
    const { source } = variable;
    if (source.kind === 'constant') return [];
    if (source.kind === 'unsubscribe') return [[variable.name, inPart(variable, unsubscribeUrl)]];
    const value = mergeValue(source.field, person);
    return value === source.field.fallback ? [] : [[variable.name, inPart(variable, value)]];
  });
  return Object.fromEntries(own);
}

function fallbackOf({ source }: Variable): string {
  if (source.kind === 'merge') return source.field.fallback;
  return source.kind === 'constant' ? source.text : '';
}

const inPart = ({ part }: Variable, value: string): string => (part === 'html' ? escapeHtml(value) : value);

/** What SES makes of a template: for previews, where nothing is sent. */
export function substitute(text: string, data: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(data, name) ? (data[name] ?? '') : placeholder,
  );
}
