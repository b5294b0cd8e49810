import type { JsonSchema } from './jsonSchema.ts';

/**
 * An example made of those of the fields; optional fields without one are left out. What has none and needs one is an
 * error, since a made-up filler teaches nothing.
 */
export function exampleOf(schema: JsonSchema, path = 'body'): unknown {
  const [given] = (schema.examples as unknown[] | undefined) ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'object') return exampleObject(schema, path);
  const [branch] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (branch) return exampleOf(branch, path);
  if (schema.type === 'array') return [exampleOf(schema.items as JsonSchema, `${path}[]`)];
  throw new Error(`${path} has no example: give it one where it is described.`);
}

function exampleObject(schema: JsonSchema, path: string): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const shown = properties.filter(([name, property]) => required.includes(name) || property.examples !== undefined);
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, `${path}.${name}`)]));
}
