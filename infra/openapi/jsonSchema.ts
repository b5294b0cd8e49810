import * as z from 'zod';
import type { Language } from '../../shared/language/languages.ts';
import type { Text } from '../../shared/language/text.ts';

export type JsonSchema = Record<string, unknown>;

/** `input` is what a caller may send, `output` what the service answers. */
export type Direction = 'input' | 'output';

/**
 * A contract schema as JSON Schema 2020-12, described in one language. Fields marked `hidden` are left out: they are
 * only there so that the service can refuse them with a sentence of their own.
 */
export function jsonSchemaOf(schema: z.ZodType, language: Language, direction: Direction): JsonSchema {
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
    },
  }) as JsonSchema;
  return result;
}

function describeIn(language: Language, schema: JsonSchema): void {
  const text = schema.text as Text | undefined;
  delete schema.text;
  if (text) schema.description = text[language];
}

/** The example of a sentence is a text. */
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

/** zod drops the examples and defaults of what it transforms; here they are of what is sent, and a transformation keeps them. */
function withExamples(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const { examples, default: value } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples) schema.examples = examples;
  if (value !== undefined) schema.default = value;
}

/** `type: [string, null]` in place of a choice between a string and null, which says the same in more words. */
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

/** Answers may gain fields without a new version, so that a client must not refuse those it does not know. */
function open(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const definition = zodSchema._zod.def as { type: string; catchall?: unknown };
  if (definition.type === 'object' && definition.catchall === undefined) delete schema.additionalProperties;
}

/** JavaScript's own bounds say nothing of the field. */
function withoutSafeIntegerBounds(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
