import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';
import { Components, pascal, referenceTo, singular } from './components.ts';

interface BodyParts {
  readonly content?: Readonly<Record<string, { schema: JsonSchema }>>;
}

interface SharedParameter {
  readonly $ref: string;
}

interface ParameterInPlace {
  readonly name: string;
  readonly in: string;
  schema: JsonSchema;
}

interface OperationParts {
  readonly operationId: string;
  parameters: (ParameterInPlace | SharedParameter)[];
  readonly requestBody?: BodyParts;
  readonly responses: Readonly<Record<string, BodyParts>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, OperationParts>>>>;

export interface Parts {
  readonly paths: Paths;
  readonly webhooks: Paths;
  /** Schemas that have names of their own. */
  readonly errors: Readonly<Record<string, JsonSchema>>;
  readonly segmentRules: Readonly<Record<string, JsonSchema>>;
}

/** Where an operation has a schema, and the name that it takes there if it has no other. */
interface Place {
  readonly fallback: string;
  readonly schema: JsonSchema;
  readonly put: (schema: JsonSchema) => void;
}

/** Replaces all schemas of the operations by references, and returns the components for them. */
export function shareSchemas({ paths, webhooks, errors, segmentRules }: Parts): Record<string, JsonSchema> {
  const places = [
    ...operationsOf(webhooks).flatMap(({ path, operation }) => placesOf(pascal(path), operation, 'Event')),
    ...operationsOf(paths).flatMap(({ path, method, operation }) =>
      placesOf(nameOfPath(path, method), operation, 'Request'),
    ),
  ];
  const named = { ...segmentRules, ...errors };
  const components = new Components([...places.map(({ schema }) => schema), ...Object.values(named)]);
  components.add('SegmentRule', { anyOf: Object.keys(segmentRules).map(referenceTo) });
  components.add('Event', { oneOf: Object.keys(webhooks).map((type) => referenceTo(`${pascal(type)}Event`)) });
  components.add('Error', unionOfErrors(errors));
  for (const { schema, fallback, put } of places) put(components.reference(schema, fallback));
  for (const [name, schema] of Object.entries(named)) components.reference({ component: name, ...schema }, name);
  return components.schemas;
}

function unionOfErrors(errors: Parts['errors']): JsonSchema {
  const mapping = Object.entries(errors).map(([name, { title }]) => [title, referenceTo(name).$ref]);
  return {
    oneOf: Object.keys(errors).map(referenceTo),
    discriminator: { propertyName: 'name', mapping: Object.fromEntries(mapping) },
  };
}

/** Replaces parameters that several operations have by references, and returns the components for them. */
export function shareParameters(paths: Paths): Record<string, unknown> {
  const operations = operationsOf(paths);
  const counts = new Map<string, number>();
  for (const parameter of operations.flatMap(({ operation }) => operation.parameters)) {
    const key = JSON.stringify(parameter);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const components: Record<string, ParameterInPlace> = {};
  for (const { path, operation } of operations) {
    operation.parameters = operation.parameters.map((parameter) => {
      const key = JSON.stringify(parameter);
      if ('$ref' in parameter || counts.get(key) === 1) return parameter;
      const name = nameOfParameter(parameter, path);
      components[name] ??= parameter;
      return JSON.stringify(components[name]) === key ? { $ref: `#/components/parameters/${name}` } : parameter;
    });
  }
  return components;
}

/** `id` of `/campaigns/{id}` is `CampaignId`, `limit` of the query `Limit`. */
function nameOfParameter({ name, in: place }: ParameterInPlace, path: string): string {
  if (place !== 'path') return pascal(name);
  const [collection = ''] = path.split(`/{${name}}`)[0]?.split('/').slice(-1) ?? [];
  return singular(pascal(collection)) + pascal(name.replace(/^[a-z]+(?=Id$)/, ''));
}

const operationsOf = (paths: Paths) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

function placesOf(
  name: string,
  { parameters, requestBody, responses }: OperationParts,
  requestSuffix: string,
): Place[] {
  const bodies = [requestBody, ...Object.values(responses)];
  const contents = bodies.flatMap((body, index) =>
    Object.values(body?.content ?? {}).map((media) => ({ media, suffix: index > 0 ? '' : requestSuffix })),
  );
  return [
    ...parameters.flatMap((parameter) =>
      'schema' in parameter ? [placeIn(parameter, singular(name) + pascal(parameter.name))] : [],
    ),
    ...contents.map(({ media, suffix }) => placeIn(media, name + suffix)),
  ];
}

const placeIn = (holder: { schema: JsonSchema }, fallback: string): Place => ({
  fallback,
  schema: holder.schema,
  put: (schema) => {
    holder.schema = schema;
  },
});

/** `POST /campaigns/{id}/send` is `CampaignSend`, `PATCH /campaigns/{id}` `CampaignUpdate`, `POST /campaigns` `Campaign`. */
function nameOfPath(path: string, method: string): string {
  const [collection = '', ...others] = path
    .replace(/^\/api\/v1\/?/, '')
    .split('/')
    .filter((part) => !part.startsWith('{'));
  return singular(pascal(collection)) + others.map(pascal).join('') + (method === 'patch' ? 'Update' : '');
}
