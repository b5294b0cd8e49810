import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { generate } from '../../infra/openapi/generate.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { Answer } from '../acceptance/client.ts';

interface Response {
  readonly content: { readonly 'application/json': { readonly schema: object } };
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response | { readonly $ref: string }> }>>;
  readonly components: { readonly responses: Record<string, Response> };
}

const document = generate(routes, 'en');
const { paths, components } = document as unknown as Document;
// Most validators are used for a few answers: optimising them would take longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
formatsPlugin.default(ajv);
ajv.addSchema({ ...document, $id: 'document' });
const validators = new Map<string, ValidateFunction>();

function validatorOf(route: Route, status: number): ValidateFunction | undefined {
  const documented = paths[route.path]?.[route.method.toLowerCase()]?.responses[String(status)];
  const response =
    documented && '$ref' in documented ? components.responses[documented.$ref.split('/').at(-1) ?? ''] : documented;
  if (!response) return undefined;
  const schema = JSON.stringify(response.content['application/json'].schema);
  const found =
    validators.get(schema) ?? ajv.compile(JSON.parse(schema.replaceAll('"$ref":"#/', '"$ref":"document#/')));
  validators.set(schema, found);
  return found;
}

/** Where an answer violates the OpenAPI document; empty when it conforms. */
export function brokenPromises(route: Route, answer: Answer): unknown[] {
  const broken: unknown[] = [];
  const validate = validatorOf(route, answer.status);
  if (!validate) broken.push(`The status ${answer.status} is not documented.`);
  else if (!validate(answer.body)) broken.push(...(validate.errors ?? []));
  return [...broken, ...brokenHeaders(answer)];
}

/** What is wrong with the headers that every response must have. */
export function brokenHeaders({ status, headers }: Answer): unknown[] {
  const numbers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const missing = numbers.filter((name) => !/^\d+$/.test(headers.get(name) ?? ''));
  const type = headers.get('Content-Type');
  return [
    ...missing.map((name) => `${name} is missing.`),
    ...(headers.get('X-Request-Id') ? [] : ['X-Request-Id is missing.']),
    ...(type === 'application/json; charset=utf-8' ? [] : [`The content type is ${type}.`]),
    ...(status === 401 && headers.get('WWW-Authenticate') !== 'Bearer' ? ['WWW-Authenticate is not Bearer.'] : []),
    ...(status === 429 && !headers.get('Retry-After') ? ['Retry-After is missing.'] : []),
  ];
}
