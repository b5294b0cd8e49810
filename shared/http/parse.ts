import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type Issue, ValidationError } from '../contract/errors.ts';
import { issuesOf } from '../contract/issues.ts';
import { parseWithLoopback } from '../contract/loopback.ts';
import type { Route } from '../contract/route.ts';
import { textsOf } from '../language/text.ts';
import { config } from '../platform/config.ts';
import type { ParsedRequest } from './call.ts';
import { headerOf } from './credentials.ts';

const texts = textsOf({
  json: { en: 'the body is not valid JSON', fr: 'le corps n’est pas du JSON valide' },
  object: { en: 'the body must be a JSON object', fr: 'le corps doit être un objet JSON' },
});

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
  const text = bodyOf(event);
  if (text.trim() === '' && route.request.bodyOptional) return check(schema, {}, issues);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    issues.push({ path: '', text: texts.json });
    return undefined;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    issues.push({ path: '', text: texts.object });
    return undefined;
  }
  return check(schema, body, issues);
}

function bodyOf(event: APIGatewayProxyEvent): string {
  if (!event.body) return '';
  return event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString('utf8') : event.body;
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

function headersOf(schema: z.ZodObject | undefined, event: APIGatewayProxyEvent): Record<string, string> {
  const names = Object.keys(schema?.shape ?? {});
  const present = names.map((name) => [name, headerOf(event, name)] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(present);
}
