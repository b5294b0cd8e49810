import * as z from 'zod';
import { nameRulesOf } from '../../shared/contract/fieldNames.ts';
import { routeGroups } from '../../shared/contract/groups.ts';
import type { ResponseDefinition, Route } from '../../shared/contract/route.ts';
import { scopesOf } from '../../shared/contract/scopes.ts';
import { accessText } from '../../shared/documentation/chapters.ts';
import { exampleOf, namedJsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';
import type { Language } from '../../shared/language/languages.ts';
import { text } from '../../shared/language/text.ts';
import { codeSamplesOf, type DocumentedCall } from './codeSamples.ts';
import { errorResponses, headerReference, headersOf } from './errorResponses.ts';

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, language: Language): Record<string, unknown> {
  const parameters = parametersOf(route, language);
  return {
    operationId: route.id,
    tags: [routeGroups[route.group].name[language]],
    summary: route.summary[language],
    description: `${route.description[language]}\n\n${accessText(route, language)}`,
    security: securityOf(route),
    parameters: [{ $ref: '#/components/parameters/Accept-Language' }, ...parameters],
    ...(route.request.body ? { requestBody: requestBody(route, route.request.body, language) } : {}),
    responses: {
      ...Object.fromEntries(
        route.responses.map((response) => [response.status, responseOf(route, response, language)]),
      ),
      ...errorResponses(route),
    },
    'x-codeSamples': codeSamplesOf(sampleOf(route, language)),
  };
}

function sampleOf(route: Route, language: Language): DocumentedCall {
  const examplesIn = (schema: z.ZodObject | undefined): Record<string, unknown> => {
    const { properties = {} } = schema ? namedJsonSchemaOf(schema, language, 'input') : {};
    const fields = Object.entries(properties as Record<string, { examples?: unknown[] }>);
    return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
  };
  const { path, query, headers, body, example } = route.request;
  const { required = [] } = query ? namedJsonSchemaOf(query, language, 'input') : {};
  const isRequired = ([name]: [string, unknown]) => (required as readonly string[]).includes(name);
  const answer = route.responses[0] && namedJsonSchemaOf(route.responses[0].schema, language, 'output');
  const { object } = (answer?.properties ?? {}) as { object?: { const?: unknown } };
  return {
    operationId: route.id,
    method: route.method,
    path: route.path,
    pathValues: examplesIn(path),
    queryValues: Object.fromEntries(Object.entries(examplesIn(query)).filter(isRequired)),
    needsKey: route.access !== 'public',
    idempotencyKey: examplesIn(headers)['idempotency-key'],
    body: body && (example ?? exampleOf(namedJsonSchemaOf(body, language, 'input'))),
    isList: object?.const === 'list',
  };
}

/**
 * Only the scheme `bearer`, though `X-Api-Key` works too: generated clients send every scheme that they have a key for,
 * and a call with both headers is refused. The list names the scope, which OAS 3.1 allows for schemes other than OAuth.
 */
function securityOf(route: Route): unknown[] {
  if (route.access === 'public') return [];
  return [{ bearer: scopesOf(route) }];
}

function parametersOf({ request }: Route, language: Language): unknown[] {
  return [
    ...parametersIn('path', request.path, language),
    ...parametersIn('query', request.query, language),
    ...parametersIn('header', request.headers, language),
  ];
}

/** Only in URLs: arguments of tools are not encoded. */
const encoded = text({ en: 'URL-encoded.', fr: 'Encodé pour l’URL.' });

function parametersIn(location: 'path' | 'query' | 'header', schema: z.ZodObject | undefined, language: Language) {
  if (!schema) return [];
  const { properties = {}, required = [] } = namedJsonSchemaOf(schema, language, 'input') as {
    properties?: Record<string, { description?: string; examples?: unknown }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name: location === 'header' ? headerName(name) : name,
    in: location,
    required: location === 'path' || required.includes(name),
    description: location === 'path' ? `${description} ${encoded[language]}` : description,
    schema: name === 'idempotency-key' ? withoutExamples(rest) : rest,
  }));
}

/** The samples have one of each call: without it, most calls share one description of the header. */
function withoutExamples(schema: { readonly examples?: unknown }): object {
  const { examples: _, ...rest } = schema;
  return rest;
}

/** Header names are case-insensitive (RFC 9110): shown in the usual spelling. */
function headerName(name: string): string {
  return name.replace(/\b\w/g, (letter) => letter.toUpperCase());
}

function requestBody({ request }: Route, body: z.ZodType, language: Language): unknown {
  const schema = namedJsonSchemaOf(body, language, 'input');
  return {
    required: !request.bodyOptional,
    content: { 'application/json': { schema, example: request.example ?? exampleOf(schema) } },
  };
}

function responseOf({ request }: Route, response: ResponseDefinition, language: Language): unknown {
  const schema = namedJsonSchemaOf(response.schema, language, 'output');
  return {
    description: response.description[language],
    headers: {
      ...headersOf(namesIgnored(request.body) ? ['Mailroom-Ignored'] : []),
      ...ownHeaders(response, language),
    },
    content: { 'application/json': { schema, example: response.example ?? exampleOf(schema) } },
  };
}

const namesIgnored = (body: z.ZodType | undefined): boolean =>
  body instanceof z.ZodArray
    ? namesIgnored(body.element as z.ZodType)
    : body !== undefined && nameRulesOf(body)?.rules.unknown === 'ignored';

function ownHeaders({ headers = {} }: ResponseDefinition, language: Language): Record<string, unknown> {
  const entries = Object.entries(headers).map(([name, text]) => [
    name,
    headerReference(name, text) ?? { description: text[language], schema: { type: 'string' } },
  ]);
  return Object.fromEntries(entries);
}
