import * as z from 'zod';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';

export type JsonSchema = Record<string, unknown>;

/** `input`: what a caller may send. `output`: what the service answers. */
export type Direction = 'input' | 'output';

/**
 * A contract schema as JSON Schema 2020-12, described in one language. Fields marked `hidden` are left out: the schema
 * has them only to refuse them with a helpful message.
 */
export function jsonSchemaOf(schema: z.ZodType, language: Language, direction: Direction): JsonSchema {
  return convert(schema, language, direction, (json) => {
    delete json.component;
    delete json.contentSchema;
  });
}

/** The same, with the names of components that `named` gives, as `component`. */
export const namedJsonSchemaOf = (schema: z.ZodType, language: Language, direction: Direction): JsonSchema =>
  convert(schema, language, direction, () => {});

function convert(
  schema: z.ZodType,
  language: Language,
  direction: Direction,
  change: (schema: JsonSchema) => void,
): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      describeIn(language, jsonSchema);
      withoutHidden(jsonSchema);
      withExamples(zodSchema, jsonSchema);
      translateExamples(language, jsonSchema);
      withNullInPlace(jsonSchema);
      if (direction === 'output') open(zodSchema, jsonSchema);
      withoutSafeIntegerBounds(jsonSchema);
      change(jsonSchema);
    },
  }) as JsonSchema;
  return result;
}

function describeIn(language: Language, schema: JsonSchema): void {
  const text = schema.text as Text | undefined;
  delete schema.text;
  if (text) schema.description = text[language];
}

/** Where an example is a sentence, it is given in every language. */
function translateExamples(language: Language, schema: JsonSchema): void {
  if (schema.type !== 'string' || !Array.isArray(schema.examples)) return;
  schema.examples = schema.examples.map((example: Text | string) =>
    typeof example === 'string' ? example : example[language],
  );
}

function withoutHidden(schema: JsonSchema): void {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (property.hidden) delete properties?.[name];
  }
}

/** zod drops the examples and the default of a transformed schema. Ours describe the input, before transformation. */
function withExamples(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const { examples, default: value } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples) schema.examples = examples;
  if (value !== undefined) schema.default = value;
}

/** Writes `anyOf` of a string and null as `type: [string, null]`, which is shorter. */
function withNullInPlace(schema: JsonSchema): void {
  const [inner, second, ...others] = (schema.anyOf ?? []) as JsonSchema[];
  if (!inner || second?.type !== 'null' || others.length > 0) return;
  if (inner.anyOf) schema.anyOf = [...(inner.anyOf as JsonSchema[]), second];
  else if (typeof inner.type === 'string') {
    delete schema.anyOf;
    const allowed = inner.enum ? { enum: [...(inner.enum as unknown[]), null] } : {};
    Object.assign(schema, { ...inner, ...schema, type: [inner.type, 'null'], ...allowed });
  }
}

/** Answers may gain fields without a new version: clients must not refuse unknown ones. */
function open(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const definition = zodSchema._zod.def as { type: string; catchall?: unknown };
  if (definition.type === 'object' && definition.catchall === undefined) delete schema.additionalProperties;
}

/** JavaScript's limits for integers are not limits of the field. */
function withoutSafeIntegerBounds(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * An example made of the examples of the fields. Optional fields without one are left out. Throws for a required field
 * without an example, so that no made-up value is shown.
 */
export function exampleOf(schema: JsonSchema, path = 'body'): unknown {
  const [given] = (schema.examples as unknown[] | undefined) ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const types = [schema.type].flat();
  if (types.includes('object')) return exampleObject(schema, path);
  const [branch] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (branch) return exampleOf(branch, path);
  if (types.includes('array')) return [exampleOf(schema.items as JsonSchema, `${path}[]`)];
  throw new Error(`${path} has no example: give it one where it is described.`);
}

function exampleObject(schema: JsonSchema, path: string): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const shown = properties.filter(([name, property]) => required.includes(name) || property.examples !== undefined);
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, `${path}.${name}`)]));
}
