import { definitionFields, usualDelay } from './definitionSchema.ts';

/** The fields of a definition in a file, each with what a file that leaves it out means. */
export const fileFields: Readonly<Record<string, string | null>> = Object.fromEntries(
  definitionFields
    .filter((field) => field !== 'steps' && field !== 'connections')
    .map((field) => [field, field === 'max_delay' ? usualDelay : null]),
);

const isDefault = (field: string, value: unknown): boolean =>
  value === fileFields[field] ||
  (field === 'reentry' && value === 'once') ||
  (Array.isArray(value) && value.length === 0);

/**
 * An automation as a file for version control: its name and definition, without what is the default. The same definition is
 * always the same text.
 */
export function definitionFile(automation: Readonly<Record<string, unknown>>): string {
  const { name, steps, connections, ...others } = automation;
  const settings = Object.keys(fileFields).filter((field) => !isDefault(field, others[field]));
  const fields = settings.map((field) => [field, others[field]] as const);
  return `${JSON.stringify({ name, ...Object.fromEntries(fields), steps, connections }, null, 2)}\n`;
}
