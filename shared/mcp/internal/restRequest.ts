import * as z from 'zod';
import { type Issue, issuesOf, ServiceError, ValidationError } from '../../contract/errors.ts';
import { nameIssues } from '../../contract/fieldNames.ts';
import type { ToolCall } from '../../documentation/catalog/tools.ts';
import { hashBody } from '../../domain/encoding.ts';
import type { RestRequest } from '../../http/restClient.ts';
import { textsOf } from '../../language/text.ts';

export type Arguments = Readonly<Record<string, unknown>>;

const texts = textsOf({
  nested: { en: 'the arguments are nested too deeply', fr: 'les arguments sont imbriqués trop profondément' },
});

/**
 * The REST call for the arguments of a tool. The REST API checks them; refused here is only what a request cannot express:
 * a path parameter that is missing or no text, another value for a field that the tool sets itself, and unknown arguments.
 */
export function restRequest(call: ToolCall, given: Arguments): RestRequest {
  const issues = [...pathIssues(call.path, given), ...fixedIssues(call, given), ...unknownIssues(call, given)];
  if (issues.length > 0) throw new ValidationError(issues);
  const pathNames = parametersOf(call.path);
  const rest = Object.entries(given).filter(
    ([name]) => !pathNames.includes(name) && !Object.hasOwn(call.headers, name),
  );
  const body = call.takesBody ? jsonOf(bodyOf(call, rest)) : undefined;
  return {
    method: call.method,
    path: `${filledPath(call.path, given)}${call.takesQuery ? queryOf(rest) : ''}`,
    headers: { ...headersOf(call, given), ...keyOf(call, given, rest) },
    ...(body !== undefined && { body }),
  };
}

/** A list that is not given is an empty one, which the API refuses. */
function bodyOf({ fixed, listArgument }: ToolCall, rest: readonly (readonly [string, unknown])[]): unknown {
  const given = Object.fromEntries(rest);
  return listArgument === undefined ? { ...given, ...fixed?.fields } : (given[listArgument] ?? []);
}

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function pathIssues(path: string, given: Arguments): Issue[] {
  const schema = z.object(Object.fromEntries(parametersOf(path).map((name) => [name, z.string().min(1)])));
  const { error } = schema.safeParse(given, { reportInput: true });
  return error ? issuesOf(error) : [];
}

function fixedIssues({ fixed }: ToolCall, given: Arguments): Issue[] {
  if (!fixed) return [];
  const differing = Object.keys(fixed.fields).filter(
    (name) => given[name] !== undefined && given[name] !== fixed.fields[name],
  );
  return differing.map((path) => ({ path, text: fixed.otherwise }));
}

/** The API itself refuses unknown parameters of a query. */
function unknownIssues({ arguments: rules, takesQuery, fixed }: ToolCall, given: Arguments): Issue[] {
  if (takesQuery) return [];
  const unknown = Object.keys(given).filter((name) => !rules.known.includes(name));
  const own = rules.known.filter((name) => !Object.hasOwn(fixed?.fields ?? {}, name));
  return nameIssues({ ...rules, known: own }, unknown);
}

/** `null` means that a field is absent, as in every body. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A segment `..` leads up, even when encoded (URL Standard, "double-dot path segment"): it can name nothing. */
function filledPath(path: string, given: Arguments): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name]).toWellFormed();
    if (/^\.{1,2}$/.test(value)) throw new ServiceError('not_found');
    return encodeURIComponent(value);
  });
}

function queryOf(given: readonly (readonly [string, unknown])[]): string {
  const known = given.filter(([, value]) => isGiven(value));
  const pairs = known.map(([name, value]) => [name.toWellFormed(), textOf(value)].map(encodeURIComponent).join('='));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Query and headers hold text. Another value is sent as JSON, so that the refusal of the API shows it. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : jsonOf(value));

function headersOf({ headers }: ToolCall, given: Arguments): Record<string, string> {
  const known = Object.entries(headers).filter(([name]) => isGiven(given[name]));
  return Object.fromEntries(known.map(([name, header]) => [header, headerText(textOf(given[name]))]));
}

/**
 * Replaces each character that a header cannot carry (control characters, beyond Latin-1) by `é`, which it can: the API
 * refuses both, and lengths stay the same.
 */
const headerText = (text: string): string => text.replace(/[^ -~]/gu, 'é');

/** An idempotency key made of the arguments, for a call without one: a repeated call then counts once. */
function keyOf(
  call: ToolCall,
  given: Arguments,
  rest: readonly (readonly [string, unknown])[],
): Record<string, string> {
  const { keyedBy, headers } = call;
  if (!keyedBy) return {};
  const hasKey = Object.entries(headers).some(([name, header]) => header === keyedBy && isGiven(given[name]));
  return hasKey ? {} : { [keyedBy]: `mcp-${hashBody(Object.fromEntries(rest))}` };
}

/** A number such as `1e999` is read as infinity, which `JSON.stringify` would turn into null. */
const asWritten = (_: string, value: unknown): unknown =>
  value === Infinity ? rawJson('1e999') : value === -Infinity ? rawJson('-1e999') : value;

/** ECMAScript proposal "JSON.parse source text access", in Node since version 21; TypeScript has no type for it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, asWritten) ?? 'null';
  } catch {
    throw new ValidationError([{ path: '', text: texts.nested }]);
  }
}
