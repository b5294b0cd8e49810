import type { Route } from '../../shared/contract/route.ts';
import { exampleOf, type JsonSchema, jsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';

export type Part = 'path' | 'query' | 'headers' | 'body';
const parts: readonly Part[] = ['path', 'query', 'headers', 'body'];

/** One field of a request, at any depth. */
export interface Field {
  readonly part: Part;
  /** As in an issue: `attachments[0].filename`. */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** The example of the route's request part, with this value in this field. */
  readonly holding: (value: unknown) => Record<string, unknown>;
}

type Whole = Record<string, unknown>;

/** Every field of every part of a route's request, from its schemas. */
export function fieldsOf(route: Route): Field[] {
  return parts.flatMap((part) => {
    const schema = schemaOf(route, part);
    if (!schema) return [];
    const example = part === 'body' ? ((route.request.example ?? {}) as Whole) : {};
    return [...places(schema, example, { part, path: '', isRequired: true, holding: (value) => value as Whole })];
  });
}

export function schemaOf({ request }: Route, part: Part): JsonSchema | undefined {
  const schema = request[part];
  return schema && jsonSchemaOf(schema, 'en', 'input');
}

function* places(schema: JsonSchema, current: unknown, here: Omit<Field, 'schema'>): Generator<Field> {
  if (here.path !== '') yield { ...here, schema };
  for (const branch of (schema.anyOf ?? []) as JsonSchema[]) yield* within(branch, current, here);
  yield* within(schema, current, here);
}

/** The fields inside a schema. */
function* within(schema: JsonSchema, current: unknown, here: Omit<Field, 'schema'>): Generator<Field> {
  const { properties = {}, required = [], items, additionalProperties } = schema as Parts;
  const isWhole = isObject(current) || schema.type !== 'object';
  const whole = isWhole ? current : exampleOf(schema);
  const inside = (name: string, isRequired: boolean) => ({
    part: here.part,
    path: here.path === '' ? name : `${here.path}.${name}`,
    isRequired,
    holding: (value: unknown) => here.holding({ ...(isObject(whole) ? whole : {}), [name]: value }),
  });
  for (const [name, property] of Object.entries(properties)) {
    yield* places(property, isObject(whole) ? whole[name] : undefined, inside(name, required.includes(name)));
  }
  if (isObject(additionalProperties)) yield* places(additionalProperties, undefined, inside('Any', false));
  if (items) {
    const entry = {
      ...here,
      path: `${here.path}[0]`,
      isRequired: true,
      holding: (value: unknown) => here.holding([value]),
    };
    yield* places(items, Array.isArray(current) ? current[0] : undefined, entry);
  }
}

interface Parts {
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: unknown;
}

const isObject = (value: unknown): value is Whole =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a string that the caller chooses freely, alone or in a union; undefined if the field takes none. */
export function textOf({ schema }: Field): JsonSchema | undefined {
  const branches = [schema, ...((schema.anyOf ?? []) as JsonSchema[])];
  return branches.find(({ type, enum: values }) => [type].flat().includes('string') && values === undefined);
}

/** Whether a field takes an email address: its example is one. */
export function takesAddress(field: Field): boolean {
  const [example] = (textOf(field)?.examples ?? []) as unknown[];
  return typeof example === 'string' && /^[^/]+@/.test(example);
}
