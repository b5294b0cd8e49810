import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';

/**
 * Moves each record that appears more than once (an object whose `object` field names it) to the components, so that
 * generated clients have one type for it. Changes `paths` and returns the components.
 */
export function shareRecords(paths: unknown): Record<string, JsonSchema> {
  const counts = new Map<string, number>();
  visit(paths, (record) => {
    const text = textOf(record);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return record;
  });
  const names = new Map<string, string>();
  const components: Record<string, JsonSchema> = {};
  visit(paths, (record) => {
    const text = textOf(record);
    if ((counts.get(text) ?? 0) < 2) return record;
    const name = names.get(text) ?? freeName(record, components);
    names.set(text, name);
    const { description, ...shared } = record;
    components[name] = shared;
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  });
  return components;
}

/** Two records are the same if they differ only in their description, which belongs to the field. */
function textOf({ description: _, ...record }: JsonSchema): string {
  return JSON.stringify(record);
}

/** Visits outer records first: what is inside a shared record is not visited again. */
function visit(node: unknown, replace: (record: JsonSchema) => JsonSchema): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'example' || key === 'examples') continue;
    if (!isRecord(child)) {
      visit(child, replace);
      continue;
    }
    const replaced = replace(child);
    (node as Record<string, unknown>)[key] = replaced;
    if (replaced === child) visit(child, replace);
  }
}

function isRecord(node: unknown): node is JsonSchema {
  return recordName(node) !== undefined && recordName(node) !== 'list';
}

function recordName(node: unknown): string | undefined {
  const { properties } = (node ?? {}) as { properties?: { object?: { const?: string } } };
  return properties?.object?.const;
}

function componentName(schema: JsonSchema): string {
  return pascal(recordName(schema) ?? '');
}

/** A second record of the same name is named after its additional fields (`WebhookWithSecret`), else numbered. */
function freeName(record: JsonSchema, taken: Readonly<Record<string, JsonSchema>>): string {
  const name = componentName(record);
  const namesake = taken[name];
  if (!namesake) return name;
  const known = Object.keys(namesake.properties ?? {});
  const additional = Object.keys(record.properties ?? {}).filter((field) => !known.includes(field));
  const preferred = additional.length > 0 ? `${name}With${additional.map(pascal).join('And')}` : name;
  let number = 1;
  let free = preferred;
  while (free in taken) free = `${preferred}${++number}`;
  return free;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
