import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type Issue, ValidationError } from '../contract/errors.ts';
import { issuesOf } from '../contract/issues.ts';
import { parseWithLoopback } from '../contract/loopback.ts';
import type { Entry, ListDefinition, Route } from '../contract/route.ts';
import type { Text } from '../language/text.ts';
import { config } from '../platform/config.ts';
import type { ParsedRequest } from './call.ts';
import { headerOf } from './credentials.ts';
import { readJsonBody, readJsonList } from './jsonBody.ts';

/** A call has a few dozen fields: beyond this many problems, more of them help nobody and would not fit an answer. */
const maxIssues = 1000;

/** Parses path, query, headers and body, and throws one `validation_error` with everything that is wrong with them. */
export function parseRequest(route: Route, event: APIGatewayProxyEvent): ParsedRequest {
  const issues: Issue[] = [];
  const { request } = route;
  const parsed = {
    path: check(request.path, pathOf(event), issues),
    query: check(request.query, event.queryStringParameters ?? {}, issues),
    headers: check(request.headers, headersOf(request.headers, event), issues),
    body: request.body && checkBody(route, request.body, event, issues),
  };
  if (request.query) issues.push(...unknownParameters(request.query, event));
  if (issues.length > 0) throw new ValidationError(issues);
  return parsed as ParsedRequest;
}

function check(schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown {
  if (!schema) return undefined;
  const result = parseWithLoopback(config('ALLOW_LOOPBACK'), () => schema.safeParse(value, { reportInput: true }));
  if (result.success) return result.data;
  for (const issue of issuesOf(result.error).slice(0, maxIssues)) issues.push(issue);
  return undefined;
}

function checkBody(route: Route, schema: z.ZodType, event: APIGatewayProxyEvent, issues: Issue[]): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (route.request.bodyOptional && bytes.toString('latin1').trim() === '') return check(schema, {}, issues);
  const { list } = route.request;
  const body = list ? readJsonList(bytes) : readJsonBody(bytes);
  issues.push(...body.issues.slice(0, maxIssues));
  if (!body.value) return undefined;
  if (list) return checkList(list, schema as z.ZodArray, body.value as unknown[], event, issues);
  const found: Issue[] = [];
  const parsed = check(schema, body.value, found);
  // Broken text is told as such, and not as an address or a name that is none besides.
  const told = new Set(body.issues.map(({ path }) => path));
  issues.push(...found.filter(({ path }) => !told.has(path)));
  return parsed;
}

/** The entries of a list: all of them good, or each for itself when the caller said so. */
function checkList(
  { mostEntries, permissive: [header, wanted] }: ListDefinition,
  schema: z.ZodArray,
  given: readonly unknown[],
  event: APIGatewayProxyEvent,
  issues: Issue[],
): { readonly entries: readonly Entry<unknown>[] } | undefined {
  const found: Issue[] = [];
  const parsed = check(schema, given.slice(0, mostEntries + 1), found) as unknown[] | undefined;
  if (parsed) return { entries: parsed.map((value) => ({ value })) };
  const isAsked = headerOf(event, header) === wanted && given.length > 0 && given.length <= mostEntries;
  if (isAsked) return { entries: given.map((one) => entryOf(schema.element as z.ZodType, one)) };
  issues.push(...found);
  return undefined;
}

function entryOf(schema: z.ZodType, given: unknown): Entry<unknown> {
  const issues: Issue[] = [];
  const value = check(schema, given, issues);
  return issues.length > 0 ? { given, issues } : { value };
}

/** A filter that is misspelt would answer everybody: what a list does not know is refused, with what it knows. */
function unknownParameters(schema: z.ZodObject, event: APIGatewayProxyEvent): Issue[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(event.queryStringParameters ?? {}).filter((name) => !known.includes(name));
  const names = known.join(', ');
  const text: Text = {
    en: `is not a parameter of this call; it takes: ${names}`,
    fr: `n’est pas un paramètre de cet appel ; il accepte : ${names}`,
  };
  return unknown.slice(0, maxIssues).map((path) => ({ path, text }));
}

/** API Gateway hands path parameters over as they stood in the URL: percent-encoded (RFC 3986 section 2.1). */
function pathOf(event: APIGatewayProxyEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decoded(value ?? '')]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The headers that a route knows, by their lower-case names and trimmed; one that is there and empty is there. */
function headersOf(schema: z.ZodObject | undefined, event: APIGatewayProxyEvent): Record<string, string> {
  const known = Object.keys(schema?.shape ?? {});
  const given = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value?.trim() ?? '']);
  return Object.fromEntries(given.filter(([name = '']) => known.includes(name)));
}
