import type { JsonSchema } from '../../jsonSchema.ts';

/**
 * Schemas of tools in few words, since a model reads them in every conversation. What is left out stands in the reference,
 * and the REST API checks it all the same.
 */

type Visit = (inner: JsonSchema, depth: number) => JsonSchema;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Visits the schemas directly inside one. `depth`: 0 for the whole of a tool, 1 for its fields. */
function withInner(schema: JsonSchema, depth: number, visit: Visit): JsonSchema {
  const visitAll = (value: unknown, at: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => visitAll(one, at));
    return isSchema(value) ? visit(value, at) : value;
  };
  const entries = Object.entries(schema).map(([name, value]) => {
    if (name === 'properties' && isSchema(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([field, one]) => [field, visitAll(one, depth + 1)]))];
    }
    if (name === 'items') return [name, visitAll(value, depth + 1)];
    const isChoice = ['anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(name);
    return [name, isChoice ? visitAll(value, depth) : value];
  });
  return Object.fromEntries(entries);
}

/** `null` means that a field is left out, which is shorter. */
function withoutNull({ type, anyOf, ...schema }: JsonSchema): JsonSchema {
  const types = [type].flat().filter((one) => one !== 'null' && one !== undefined);
  if (Array.isArray(schema.enum)) schema.enum = schema.enum.filter((one) => one !== null);
  const typed = { ...schema, ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }) };
  const choices = ((anyOf ?? []) as JsonSchema[]).filter((one) => one.type !== 'null');
  if (choices.length < 2) return { ...choices[0], ...typed };
  return { ...typed, anyOf: choices };
}

/** A constant says what it is without a type and a description. */
function withPlainConstants({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if ('const' in schema) return { const: schema.const };
  const choices = (anyOf ?? []) as JsonSchema[];
  if (choices.length === 0) return schema;
  const isEnumeration = choices.every((one) => 'const' in one);
  return isEnumeration ? { ...schema, enum: choices.map((one) => one.const) } : { ...schema, anyOf };
}

const longestPattern = 16;
/** What a model hardly writes more of. */
const largeLength = 299;
const largeList = 100;
/** How blocks look: the description of `content` names them. */
const ofLook: ReadonlySet<string> = new Set(['align', 'color', 'background']);

/** Empty texts and unknown names are refused wherever they stand; only the outermost level says so. */
function withFewRules({ propertyNames: _, ...schema }: JsonSchema, depth: number): JsonSchema {
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.minItems === 1) delete schema.minItems;
  if (Number(schema.maxLength) > largeLength) delete schema.maxLength;
  if (Number(schema.maxItems) > largeList) delete schema.maxItems;
  if (Array.isArray(schema.enum)) delete schema.type;
  if (depth > 1 && isSchema(schema.properties)) {
    const fields = Object.entries(schema.properties).filter(([name]) => !ofLook.has(name));
    schema.properties = Object.fromEntries(fields);
  }
  if (typeof schema.pattern === 'string' && schema.pattern.length > longestPattern) delete schema.pattern;
  if (depth > 0 && schema.additionalProperties === false) delete schema.additionalProperties;
  return schema;
}

function compact(schema: JsonSchema, depth: number): JsonSchema {
  const own = withFewRules(withPlainConstants(withoutNull(schema)), depth);
  return withInner(own, depth, compact);
}

/** The example of a field shows those of its parts. */
function withOuterExamples({ examples, ...schema }: JsonSchema, depth: number): JsonSchema {
  if (examples === undefined) return withInner(schema, depth, withOuterExamples);
  return { ...withInner(schema, depth, withoutExamples), examples: shortIds(examples) };
}

/** An id that names nothing is 25 tokens; its beginning tells as much. */
const shortIds = (examples: unknown): unknown =>
  JSON.parse(JSON.stringify(examples).replaceAll(/"([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}"/g, '"$1_…"'));

function withoutExamples({ examples: _, ...schema }: JsonSchema, depth: number): JsonSchema {
  return withInner(schema, depth, withoutExamples);
}

/** A field inside another one means what the tool's own field of the same name means. */
function withTextsOnce(schema: JsonSchema): JsonSchema {
  const own = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>);
  const described = new Set(own.map(({ description }) => description));
  const describeOnce: Visit = ({ description, ...one }, depth) => {
    const isRepeated = depth > 1 && described.has(description);
    return withInner({ ...one, ...(description !== undefined && !isRepeated && { description }) }, depth, describeOnce);
  };
  return withInner(schema, 0, describeOnce);
}

/** Shorter schemas are repeated. */
const leastShared = 150;

/** Writes once, under `$defs`, what occurs several times below the fields. */
function withDefinitions(schema: JsonSchema): JsonSchema {
  const occurrences = new Map<string, number>();
  const count: Visit = (one, depth) => {
    const text = JSON.stringify(one);
    if (depth > 1 && text.length >= leastShared) occurrences.set(text, (occurrences.get(text) ?? 0) + 1);
    return withInner(one, depth, count);
  };
  withInner(schema, 0, count);
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const share: Visit = (one, depth) => {
    const text = JSON.stringify(one);
    if (depth < 2 || (occurrences.get(text) ?? 0) < 2) return withInner(one, depth, share);
    const name = names.get(text) ?? nameOf(one) ?? `part${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      definitions[name] = withInner(one, depth, share);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const result = withInner(schema, 0, share);
  return names.size > 0 ? { ...result, $defs: definitions } : result;
}

/**
 * Blocks share fields: what one means is said at the first block that has it. Choices, flags and limits of numbers go
 * without words.
 */
function withDescriptionsOnce(schema: JsonSchema): JsonSchema {
  const said = new Set<string>();
  const sayOnce: Visit = ({ description, minimum: _, maximum: __, ...one }, depth) => {
    // Its properties say that it is one.
    if (nameOf(one) !== undefined) delete one.type;
    const isPlain = 'enum' in one || one.type === 'boolean';
    const isRepeated = isPlain || (typeof description === 'string' && said.has(description));
    if (typeof description === 'string') said.add(description);
    return withInner({ ...one, ...(description !== undefined && !isRepeated && { description }) }, depth, sayOnce);
  };
  if (!isSchema(schema.$defs)) return schema;
  const definitions = Object.entries(schema.$defs).map(([name, one]) => [name, isSchema(one) ? sayOnce(one, 2) : one]);
  return { ...schema, $defs: Object.fromEntries(definitions) };
}

/** `heading` for a block of that type. */
function nameOf({ properties }: JsonSchema): string | undefined {
  const { type } = (properties ?? {}) as { readonly type?: { readonly const?: string } };
  return type?.const;
}

/** What a tool takes: every field, with what a model needs to call it. */
export const compactInput = <Schema extends JsonSchema>(schema: Schema): Schema =>
  withDescriptionsOnce(withDefinitions(withTextsOnce(withOuterExamples(compact(schema, 0), 0)))) as Schema;

/** The fields of an answer with their types. What they mean stands in the reference. */
export function compactOutput({ properties = {}, required }: JsonSchema) {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    if ('const' in schema) return [name, { const: schema.const }];
    return [name, schema.type === undefined ? {} : { type: schema.type }];
  });
  return {
    type: 'object' as const,
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && { required }),
  };
}
