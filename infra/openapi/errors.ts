import { type ErrorCode, errorCodes } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { errorBody } from '../../shared/contract/schemas/error.ts';
import type { Language } from '../../shared/language/languages.ts';
import { exampleOf } from './examples.ts';
import { headersOf } from './headers.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';
import { responseReference } from './transport.ts';

/** Every code that a route can answer with: its own, and those that its access and its parts bring with them. */
export function errorsOf(route: Route): ErrorCode[] {
  const { query, headers, body } = route.request;
  const codes: ErrorCode[] = [...route.errors];
  if (route.access !== 'public') codes.push('missing_api_key', 'invalid_api_key', 'revoked_api_key');
  if (route.access !== 'public' && route.access !== 'key') codes.push('insufficient_scope');
  if (query || headers || body) codes.push('validation_error');
  codes.push('rate_limit_exceeded', 'internal_error');
  const inOrder = Object.keys(errorCodes) as ErrorCode[];
  return inOrder.filter((code) => codes.includes(code));
}

/** `quota_exceeded` is the component `QuotaExceededError`. */
export function errorComponent(code: ErrorCode): string {
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** The schema of an error body. */
export function errorSchema(code: ErrorCode, language: Language): JsonSchema {
  const description = errorCodes[code].text[language];
  return { title: code, description, ...jsonSchemaOf(errorBody(code), language, 'output') };
}

/** An error as it is answered, in the document's language. */
export function errorExample(code: ErrorCode, language: Language): unknown {
  return { summary: errorCodes[code].text[language], value: exampleOf(errorSchema(code, language), code) };
}

/** The error responses of a route by status; several codes of one status are told apart by `name`. */
export function errorResponses(route: Route, language: Language): Record<string, unknown> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCodes[code].status);
  const responses = [...byStatus].map(([status, codes]) => [String(status), errorResponse(codes, status, language)]);
  const ofTransport = {
    405: responseReference('MethodNotAllowed'),
    ...(route.request.body && { 413: responseReference('TooLarge') }),
  };
  return { ...Object.fromEntries(responses), ...ofTransport };
}

function errorResponse(codes: readonly ErrorCode[], status: number, language: Language): unknown {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].text[language]}`).join('\n\n'),
    headers: headersOf(besides(codes, status)),
    content: contentOf(codes),
  };
}

/** What may stand in the way for now only. */
const mayPass: ReadonlySet<ErrorCode> = new Set(['conflict', 'send_failed']);

function besides(codes: readonly ErrorCode[], status: number): Parameters<typeof headersOf>[0] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 || codes.some((code) => mayPass.has(code)) ? ['Retry-After'] : [];
}

function contentOf(codes: readonly ErrorCode[]): unknown {
  const references = codes.map((code) => ({ $ref: `#/components/schemas/${errorComponent(code)}` }));
  const mapping = Object.fromEntries(codes.map((code, index) => [code, references[index]?.$ref]));
  const schema =
    references.length === 1 ? references[0] : { oneOf: references, discriminator: { propertyName: 'name', mapping } };
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${errorComponent(code)}` }]);
  return { 'application/json': { schema, examples: Object.fromEntries(examples) } };
}
