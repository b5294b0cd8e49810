import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type Issue, issuesOf, pathOf, ValidationError } from '../../contract/errors.ts';
import { notReadIssues, readNames } from '../../contract/fieldNames.ts';
import type { Entry, ListDefinition, Route } from '../../contract/route.ts';
import { parseWithLoopback } from '../../contract/schemas/fields.ts';
import { repeatedNames } from '../../domain/encoding.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { config } from '../../platform/config.ts';
import { headerOf } from '../authenticate.ts';

/** More issues than this would not fit into an answer, and no caller reads them. */
const maxIssues = 1000;

const texts = textsOf({
  utf8: { en: 'the body is not valid UTF-8', fr: 'le corps n’est pas de l’UTF-8 valide' },
  json: { en: 'the body is not valid JSON', fr: 'le corps n’est pas du JSON valide' },
  noParameters: {
    en: 'is not a parameter of this call, which reads nothing from the query of its address: fields belong in the body',
    fr: 'n’est pas un paramètre de cet appel, qui ne lit rien dans la requête (query) de son adresse : les champs vont dans le corps',
  },
  noFields: {
    en: 'is not a field of this call, which reads no body',
    fr: 'n’est pas un champ de cet appel, qui ne lit pas de corps',
  },
  object: { en: 'the body must be a JSON object', fr: 'le corps doit être un objet JSON' },
  list: { en: 'the body must be a JSON array', fr: 'le corps doit être un tableau JSON' },
  loneSurrogate: {
    en: 'must not contain half of a surrogate pair',
    fr: 'ne doit pas contenir une moitié de paire de substitution (surrogate)',
  },
  repeated: { en: 'is given more than once', fr: 'est donné plusieurs fois' },
  prototype: { en: 'is a name that cannot be used', fr: 'est un nom qui ne peut pas être utilisé' },
});

/** The parts of a request, each parsed by its schema of the route; undefined where the route has none. */
export interface ParsedRequest {
  readonly path: Fields;
  readonly query: Fields;
  readonly headers: Fields;
  readonly body: Fields;
  /** Names of body fields that the route does not read. */
  readonly ignored: readonly string[];
}
type Fields = Readonly<Record<string, unknown>> | undefined;

/** Parses path, query, headers and body, and throws one `validation_error` with everything that is wrong with them. */
export function parseRequest(route: Route, event: APIGatewayProxyEvent): ParsedRequest {
  const issues: Issue[] = [];
  const ignored = new Set<string>();
  const { request } = route;
  const parsed = {
    path: check(request.path, pathParameters(event), issues),
    query: check(request.query, event.queryStringParameters ?? {}, issues),
    headers: check(request.headers, knownHeaders(request.headers, event), issues),
    body: request.body && checkBody(route, request.body, event, issues, ignored),
    ignored: [...ignored],
  };
  issues.push(...unknownParameters(route, event), ...unreadFields(route, event));
  if (issues.length > 0) throw new ValidationError([...issues, ...notRead(route, [...ignored])]);
  return parsed as ParsedRequest;
}

function notRead({ request: { body, list } }: Route, ignored: readonly string[]): Issue[] {
  const schema = list ? ((body as z.ZodArray).element as z.ZodType) : body;
  return schema ? notReadIssues(schema, ignored) : [];
}

function check(schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown {
  if (!schema) return undefined;
  const result = parseWithLoopback(config('ALLOW_LOOPBACK'), () => schema.safeParse(value, { reportInput: true }));
  if (result.success) return result.data;
  for (const issue of issuesOf(result.error).slice(0, maxIssues)) issues.push(issue);
  return undefined;
}

function checkBody(
  route: Route,
  schema: z.ZodType,
  event: APIGatewayProxyEvent,
  issues: Issue[],
  ignored: Set<string>,
): unknown {
  const bytes = bytesOf(event);
  if (route.request.bodyOptional && isBlank(bytes)) return check(schema, {}, issues);
  const { list } = route.request;
  const body = list ? readJsonList(bytes) : readJsonBody(bytes);
  issues.push(...body.issues.slice(0, maxIssues));
  if (!body.value) return undefined;
  if (list) return checkList(list, schema as z.ZodArray, body.value as unknown[], event, issues, ignored);
  const schemaIssues: Issue[] = [];
  const parsed = checkFields(schema, body.value, schemaIssues, ignored);
  // One issue is enough for invalid text: that it is no valid address either adds nothing.
  const reported = new Set(body.issues.map(({ path }) => path));
  issues.push(...schemaIssues.filter(({ path }) => !reported.has(path)));
  return parsed;
}

/** The entries of a list. In permissive mode, each is parsed or carries its own issues; otherwise one issue fails all. */
function checkList(
  { maxEntries, permissive }: ListDefinition,
  schema: z.ZodArray,
  given: readonly unknown[],
  event: APIGatewayProxyEvent,
  issues: Issue[],
  ignored: Set<string>,
): { readonly entries: readonly Entry<unknown>[] } | undefined {
  const element = schema.element as z.ZodType;
  const names = given.slice(0, maxEntries + 1).map((entry) => fieldsOf(element, entry, ignored));
  const listIssues = names.flatMap((entry, index) =>
    entry.issues.map(({ path, text }) => ({ path: pathOf([index, path]), text })),
  );
  const fields = names.map((entry) => entry.fields);
  const parsed = check(schema, fields, listIssues) as unknown[] | undefined;
  if (parsed && listIssues.length === 0) return { entries: parsed.map((value) => ({ value })) };
  const isAsked = permissive && headerOf(event, permissive[0]) === permissive[1];
  const isPermissive = isAsked && given.length > 0 && given.length <= maxEntries;
  if (isPermissive) return { entries: given.map((entry) => checkEntry(element, entry, ignored)) };
  issues.push(...listIssues.slice(0, maxIssues));
  return undefined;
}

function checkEntry(schema: z.ZodType, given: unknown, ignored: Set<string>): Entry<unknown> {
  const issues: Issue[] = [];
  const value = checkFields(schema, given, issues, ignored);
  return issues.length > 0 ? { given, issues } : { value };
}

/** Checks the names of an object's fields, then their values. */
function checkFields(schema: z.ZodType, value: unknown, issues: Issue[], ignored: Set<string>): unknown {
  const names = fieldsOf(schema, value, ignored);
  issues.push(...names.issues.slice(0, maxIssues));
  return check(schema, names.fields, issues);
}

/** The fields of an object under the names of its schema. Anything else is left for the schema to refuse. */
function fieldsOf(
  schema: z.ZodType,
  value: unknown,
  ignored: Set<string>,
): { fields: unknown; issues: readonly Issue[] } {
  if (!isObject(value)) return { fields: value, issues: [] };
  const names = readNames(schema, value);
  for (const name of names.ignored) ignored.add(name);
  return names;
}

/**
 * Unknown parameters: an ignored filter would return every entry, and an ignored `dry_run` would send. They are refused
 * where the route has parameters or changes something.
 */
function unknownParameters({ method, request }: Route, event: APIGatewayProxyEvent): Issue[] {
  if (!request.query && method === 'GET') return [];
  const known = Object.keys(request.query?.shape ?? {});
  const unknown = Object.keys(event.queryStringParameters ?? {}).filter((name) => !known.includes(name));
  const names = known.join(', ');
  const takes: Text = {
    en: `is not a parameter of this call; it takes: ${names}`,
    fr: `n’est pas un paramètre de cet appel ; il accepte : ${names}`,
  };
  const text = known.length > 0 ? takes : texts.noParameters;
  return unknown.slice(0, maxIssues).map((path) => ({ path, text }));
}

/** Fields for a call that has no body: an ignored `dry_run` or `at` would change what the caller means to try. */
function unreadFields({ keepsAnswer, request }: Route, event: APIGatewayProxyEvent): readonly Issue[] {
  if (!keepsAnswer || request.body) return [];
  const bytes = bytesOf(event);
  if (isBlank(bytes)) return [];
  const { value, issues } = readJsonBody(bytes);
  const names = Object.keys(value ?? {}).slice(0, maxIssues);
  return value ? names.map((path) => ({ path, text: texts.noFields })) : issues;
}

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === '';

/** API Gateway passes path parameters as they are in the URL: percent-encoded (RFC 3986 section 2.1). */
function pathParameters(event: APIGatewayProxyEvent): Record<string, string> {
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

/** The headers that the route reads, trimmed, by their lower-case names. A header without a value is not absent. */
function knownHeaders(schema: z.ZodObject | undefined, event: APIGatewayProxyEvent): Record<string, string> {
  const known = Object.keys(schema?.shape ?? {});
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value?.trim() ?? '']);
  return Object.fromEntries(headers.filter(([name = '']) => known.includes(name)));
}

/** The value of a body, absent when it has the wrong form, and what is wrong with its text. */
interface JsonBody<Value = Record<string, unknown>> {
  readonly value?: Value;
  readonly issues: readonly Issue[];
}

export const readJsonBody = (bytes: Buffer): JsonBody => readJsonOf(bytes, isObject, texts.object);

const readJsonList = (bytes: Buffer): JsonBody<unknown[]> => readJsonOf(bytes, Array.isArray, texts.list);

/** An object or an array. */
export const readJson = (bytes: Buffer): JsonBody<object> => readJsonOf(bytes, isContainer, texts.object);

/**
 * Reads a body as JSON (RFC 8259): in UTF-8 (section 8.1), without names that are given twice (section 4), of which a
 * caller may mean either, and without lone surrogates (section 8.2), which neither the store nor mail can carry.
 */
function readJsonOf<Value extends object>(
  bytes: Buffer,
  hasRightType: (value: unknown) => value is Value,
  wrongType: Text,
): JsonBody<Value> {
  if (!isUtf8(bytes)) return { issues: [{ path: '', text: texts.utf8 }] };
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { issues: [{ path: '', text: texts.json }] };
  }
  if (!hasRightType(value)) return { issues: [{ path: '', text: wrongType }] };
  const repeated = repeatedNames(text).map((path) => ({ path: pathOf(path), text: texts.repeated }));
  return { value, issues: [...repeated, ...(suspiciousText.test(text) ? textIssues(value) : [])] };
}

/** In valid UTF-8 only an escape can produce a lone surrogate, or spell `__proto__` in another way. */
const suspiciousText = /\\u(?:d[89a-f]|00[567])|__proto__/i;

/** A value in a body and the path to it. A linked list, since a hostile body may be too deep for recursion. */
interface JsonNode {
  readonly value: unknown;
  readonly key?: PropertyKey;
  readonly parent?: JsonNode;
}

/** Parts of a path that are shown; the contract's own fields are less than half as deep. */
const maxPathParts = 20;

function textIssues(body: object): Issue[] {
  const issues: Issue[] = [];
  const pending: JsonNode[] = [{ value: body }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const text = problemOf(node);
    if (text) issues.push({ path: pathOf(pathTo(node)), text });
    if (!isContainer(node.value)) continue;
    const isList = Array.isArray(node.value);
    for (const [key, value] of Object.entries(node.value).reverse()) {
      pending.push({ value, key: isList ? Number(key) : key, parent: node });
    }
  }
  return issues;
}

/** `__proto__` matters below the top level only, where callers choose names: unknown fields of the body are ignored. */
function problemOf({ key, value, parent }: JsonNode): Text | null {
  if (key === '__proto__' && parent?.parent) return texts.prototype;
  const isMalformed = (text: unknown) => typeof text === 'string' && !text.isWellFormed();
  return isMalformed(key) || isMalformed(value) ? texts.loneSurrogate : null;
}

function pathTo(node: JsonNode): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: JsonNode | undefined = node; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.reverse().slice(0, maxPathParts);
}

const isObject = (value: unknown): value is Record<string, unknown> => isContainer(value) && !Array.isArray(value);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
