/** The parts of an OpenAPI 3.1 document that this page reads; the generator (infra/openapi/) writes no others. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string; readonly 'x-slug': string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: ApiContent };
  readonly responses?: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly unknown[];
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly content?: ApiContent;
}

export type ApiContent = Readonly<
  Record<
    string,
    { readonly schema: Schema; readonly example?: unknown; readonly examples?: Readonly<Record<string, unknown>> }
  >
>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

export interface Reference {
  readonly $ref: string;
}

/** The target of a reference in the document (`#/components/responses/Error`), or the object itself. */
export function resolved<Thing extends object>(document: ReferenceDocument, thing: Thing | Reference): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing;
  const [kind = '', name = ''] = thing.$ref.split('/').slice(2);
  return document.components[kind]?.[name] as Thing;
}

/** The document with its enums where they are used: an object of the reference is one that has fields. */
export function withEnumsInPlace(document: ReferenceDocument): ReferenceDocument {
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  const enums = new Map(schemas.filter(([, { enum: values }]) => values).map(([name, schema]) => [name, schema]));
  const replaced = JSON.parse(JSON.stringify(document), (_, value) => {
    const found = typeof value?.$ref === 'string' ? enums.get(nameOf(value.$ref)) : undefined;
    if (found) return { ...found, ...value, $ref: undefined };
    const [first, second, ...others] = Array.isArray(value?.anyOf) ? value.anyOf : [];
    if (!first?.enum || second?.type !== 'null' || others.length > 0) return value;
    return { ...first, ...value, anyOf: undefined, type: [first.type, 'null'], enum: [...first.enum, null] };
  });
  for (const name of enums.keys()) delete replaced.components.schemas[name];
  return replaced;
}

/** The last part of a reference: its name and anchor. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';
