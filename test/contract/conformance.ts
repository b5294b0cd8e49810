import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { generate } from '../../infra/openapi/generate.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { Answer } from '../acceptance/client.ts';

interface Response {
  readonly content: { readonly 'application/json': { readonly schema: object } };
}

const document = generate(routes, 'en');
const paths = document.paths as Record<string, Record<string, { responses: Record<string, Response> }>>;
// Most validators see a few answers: to optimise them takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
formatsPlugin.default(ajv);
ajv.addSchema({ ...document, $id: 'document' });
const validators = new Map<string, ValidateFunction>();

function validatorOf(route: Route, status: number): ValidateFunction | undefined {
  const response = paths[route.path]?.[route.method.toLowerCase()]?.responses[String(status)];
  if (!response) return undefined;
  const schema = JSON.stringify(response.content['application/json'].schema);
  const found =
    validators.get(schema) ?? ajv.compile(JSON.parse(schema.replaceAll('"$ref":"#/', '"$ref":"document#/')));
  validators.set(schema, found);
  return found;
}

/** What an answer breaks of the promises that the OpenAPI document makes for its route; empty when it keeps them all. */
export function brokenPromises(route: Route, answer: Answer): unknown[] {
  const broken: unknown[] = [];
  const validate = validatorOf(route, answer.status);
  if (!validate) broken.push(`The status ${answer.status} is not documented.`);
  else if (!validate(answer.body)) broken.push(...(validate.errors ?? []));
  return [...broken, ...brokenHeaders(answer)];
}

/** The headers that are on every response of the service, whatever was asked. */
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
