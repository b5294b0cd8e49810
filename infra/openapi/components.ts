import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';

/** The members that belong to the place where a schema is used, and not to the schema. */
const ofPlace = ['description', 'examples', 'default'] as const;

/**
 * Moves objects and enums out of the schemas of a document into named components, so that every schema is one level deep
 * and generated clients have one type for each. A component is named by `named` (shared/contract/schemas/fields.ts), else
 * after its field `object`, else after the component and the field that hold it.
 */
export class Components {
  readonly #content = new Map<string, JsonSchema>();
  /** The content of each name, and the name of each content, both as JSON. */
  readonly #keys = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #given = new Set<string>();

  /** `schemas`: all of the document, whose given names count wherever the same content occurs. */
  constructor(schemas: readonly JsonSchema[]) {
    for (const schema of schemas) visit(schema, (one) => this.#keepName(one));
  }

  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#content].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Adds a component as it is; schemas that `named` gives this name refer to it. */
  add(name: string, schema: JsonSchema): void {
    this.#take(name, JSON.stringify(schema));
    this.#content.set(name, schema);
    this.#given.add(name);
  }

  /** The schema to put in place: a reference, if it is an object or an enum. `fallback` is its name if it has no other. */
  reference(schema: JsonSchema, fallback: string): JsonSchema {
    if (isNullable(schema)) return this.#nullable(schema, fallback);
    if (!isComponent(schema)) return this.#withInner(schema, fallback);
    const { place, content } = divided(schema);
    const key = JSON.stringify(content);
    if (typeof schema.component === 'string' && this.#given.has(schema.component)) {
      return { ...referenceTo(schema.component), ...place };
    }
    const name = this.#names.get(key) ?? this.#listName(content) ?? fallback;
    if (this.#keys.get(name) !== key) {
      this.#take(name, key);
      const described = isExplained(content) ? content : { ...content, ...pick(place, ['description']) };
      this.#content.set(name, {});
      this.#content.set(name, this.#withInner(described, name));
    }
    return { ...referenceTo(name), ...place };
  }

  #take(name: string, key: string): void {
    if (this.#keys.has(name)) {
      throw new Error(
        `Two different schemas would be the component ${name} of the OpenAPI document: give one another name by named() of shared/contract/schemas/fields.ts. They are ${this.#keys.get(name)?.slice(0, 300)} and ${key.slice(0, 300)}`,
      );
    }
    this.#keys.set(name, key);
    if (!this.#names.has(key)) this.#names.set(key, name);
  }

  #keepName(schema: JsonSchema): void {
    if (!isComponent(schema)) return;
    const name = (schema.component as string | undefined) ?? nameByObject(schema);
    const key = JSON.stringify(divided(schema).content);
    if (name !== undefined && (schema.component !== undefined || !this.#names.has(key))) this.#names.set(key, name);
  }

  /** A list is named after its entries. */
  #listName(schema: JsonSchema): string | undefined {
    if (objectOf(schema) !== 'list') return undefined;
    const { data } = schema.properties as { data: { items: JsonSchema } };
    const { $ref } = this.reference(data.items, '');
    return typeof $ref === 'string' ? `${nameOf($ref).replace(/Summary$/, '')}List` : undefined;
  }

  #nullable(schema: JsonSchema, fallback: string): JsonSchema {
    const { place } = divided(schema);
    return { anyOf: [this.reference(withoutPlace(withoutNull(schema)), fallback), { type: 'null' }], ...place };
  }

  #withInner(schema: JsonSchema, name: string): JsonSchema {
    const { component: _, ...result } = schema;
    if (isRecord(schema.properties)) {
      const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
      result.properties = Object.fromEntries(
        fields.map(([field, inner]) => [field, this.reference(inner, name + pascal(field))]),
      );
    } else {
      for (const choice of ['anyOf', 'oneOf'] as const) {
        const members = schema[choice] as JsonSchema[] | undefined;
        if (members) result[choice] = members.map((member) => this.reference(member, memberName(member, name)));
      }
    }
    if (isRecord(schema.items)) result.items = this.reference(schema.items, singular(name));
    if (isRecord(schema.contentSchema)) result.contentSchema = this.reference(schema.contentSchema, name);
    if (isRecord(schema.additionalProperties)) {
      result.additionalProperties = this.reference(schema.additionalProperties, singular(name));
    }
    return result;
  }
}

export const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasFields = ({ properties }: JsonSchema): boolean => isRecord(properties) && Object.keys(properties).length > 0;

const isComponent = ({ component = undefined, ...schema }: JsonSchema): boolean =>
  component !== false && (component !== undefined || hasFields(schema) || isChoice(schema));

/** An enum of one value says all in its place. */
const isChoice = ({ enum: values }: JsonSchema): boolean =>
  Array.isArray(values) && values.filter((one) => one !== null).length > 1;

/** The schema of a value that may be null, without null. */
const withoutNull = ({ type, enum: values, ...schema }: JsonSchema): JsonSchema => ({
  type: (type as string[]).filter((one) => one !== 'null').join(),
  ...schema,
  ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
});

const isNullable = (schema: JsonSchema): boolean =>
  isComponent(schema) && Array.isArray(schema.type) && schema.type.includes('null');

/** Whether its fields or values say what it is. Any other component has the description of its first use. */
const isExplained = (schema: JsonSchema): boolean => hasFields(schema) || isChoice(schema);

function divided({ component: _, ...schema }: JsonSchema): { place: JsonSchema; content: JsonSchema } {
  return { place: pick(schema, ofPlace), content: withoutPlace(schema) };
}

const withoutPlace = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !ofPlace.some((one) => one === name)));

const pick = (schema: JsonSchema, names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]));

/** Calls `look` for a schema and every schema in it. Branches beside `properties` are conditions, not schemas. */
function visit(schema: JsonSchema, look: (schema: JsonSchema) => void): void {
  look(isNullable(schema) ? withoutNull(schema) : schema);
  const { properties, items, additionalProperties, anyOf, oneOf } = schema;
  const inner = isRecord(properties) ? Object.values(properties) : [anyOf, oneOf].flat();
  for (const one of [...inner, items, additionalProperties]) if (isRecord(one)) visit(one, look);
}

const constantOf = (schema: JsonSchema, field: string): unknown =>
  (schema.properties as Record<string, { const?: unknown }> | undefined)?.[field]?.const;

const objectOf = (schema: JsonSchema): string | undefined => constantOf(schema, 'object') as string | undefined;

/** After the field `object`: `campaign_recipient` is `CampaignRecipient`. */
function nameByObject(schema: JsonSchema): string | undefined {
  const object = objectOf(schema);
  if (object === undefined || object === 'list') return undefined;
  return (constantOf(schema, 'deleted') === true ? 'Deleted' : '') + pascal(object);
}

/** A member of a union is named after its `type`: `heading` of `Block` is `HeadingBlock`. */
const memberName = (member: JsonSchema, union: string): string =>
  pascal(String(constantOf(member, 'type') ?? '')) + union;

/** `campaign_recipient`, `excludedAddresses` and `email.sent` as names of types. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** One of several: `Variants` is `Variant`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^su])s$/, '$1');
