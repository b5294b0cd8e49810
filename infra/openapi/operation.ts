import type * as z from 'zod';
import type { ResponseDefinition, Route } from '../../shared/contract/route.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { errorResponses } from './errors.ts';
import { exampleOf } from './examples.ts';
import { headersOf } from './headers.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

const scopeTexts = textsOf({
  public: { en: 'Needs no key.', fr: 'Sans clé.' },
  scope: { en: 'Scope: `{scope}`.', fr: 'Portée : `{scope}`.' },
  key: { en: 'Needs a key, with any scope.', fr: 'Demande une clé, quelle que soit sa portée.' },
});

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, language: Language): Record<string, unknown> {
  const parameters = parametersOf(route, language);
  return {
    operationId: route.id,
    tags: [route.group.name[language]],
    summary: route.summary[language],
    description: `${route.description[language]}\n\n${accessText(route, language)}`,
    security: securityOf(route),
    parameters: [{ $ref: '#/components/parameters/Accept-Language' }, ...parameters],
    ...(route.request.body ? { requestBody: requestBody(route, route.request.body, language) } : {}),
    responses: {
      ...Object.fromEntries(route.responses.map((response) => [response.status, responseOf(response, language)])),
      ...errorResponses(route, language),
    },
  };
}

/** Who may make a call. */
export function accessText(route: Route, language: Language): string {
  if (route.access === 'public' || route.access === 'key') return scopeTexts[route.access][language];
  return scopeTexts.scope[language].replace('{scope}', route.access);
}

/**
 * One scheme alone, though `X-Api-Key` does as well: generated clients send every scheme that they are given a key for, and
 * both headers at once are refused. For schemes other than OAuth the list names what the key must be allowed (OAS 3.1).
 */
function securityOf(route: Route): unknown[] {
  if (route.access === 'public') return [];
  return [{ bearer: route.access === 'key' ? [] : [route.access] }];
}

function parametersOf({ request }: Route, language: Language): unknown[] {
  return [
    ...parametersIn('path', request.path, language),
    ...parametersIn('query', request.query, language),
    ...parametersIn('header', request.headers, language),
  ];
}

function parametersIn(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined, language: Language) {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, language, 'input') as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    schema: rest,
  }));
}

/** Header names have no case (RFC 9110); documents show them as people write them. */
function headerName(name: string): string {
  return name.replace(/\b\w/g, (letter) => letter.toUpperCase());
}

function requestBody({ request }: Route, body: z.ZodType, language: Language): unknown {
  const schema = jsonSchemaOf(body, language, 'input');
  return {
    required: !request.bodyOptional,
    content: { 'application/json': { schema, example: request.example ?? exampleOf(schema) } },
  };
}

function responseOf(response: ResponseDefinition, language: Language): unknown {
  const schema = jsonSchemaOf(response.schema, language, 'output');
  return {
    description: response.description[language],
    headers: { ...headersOf([]), ...ownHeaders(response, language) },
    content: { 'application/json': { schema, example: response.example ?? exampleOf(schema) } },
  };
}

function ownHeaders({ headers = {} }: ResponseDefinition, language: Language): Record<string, unknown> {
  const entries = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text[language], schema: { type: 'string' } },
  ]);
  return Object.fromEntries(entries);
}
