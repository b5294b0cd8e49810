import type { JsonSchema } from './jsonSchema.ts';

/** An example made of those of the fields, or of what the schema allows; optional fields without one are left out. */
export function exampleOf(schema: JsonSchema): unknown {
  const [given] = (schema.examples as unknown[] | undefined) ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [branch] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (branch) return exampleOf(branch);
  if (schema.type === 'object') return exampleObject(schema);
  if (schema.type === 'array') return [exampleOf(schema.items as JsonSchema)];
  if (schema.type === 'null') return null;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  return schema.format === 'uri' ? 'https://example.com' : 'text';
}

function exampleObject(schema: JsonSchema): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const shown = properties.filter(([name, property]) => required.includes(name) || property.examples !== undefined);
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property)]));
}
