import * as z from 'zod';
import type { ToolCall } from '../contract/catalog.ts';
import { type Issue, ServiceError, ValidationError } from '../contract/errors.ts';
import { issuesOf } from '../contract/issues.ts';
import { hashBody } from '../domain/encoding/canonicalJson.ts';
import { textsOf } from '../language/text.ts';

/** A call of the REST API, but for its key and its language. */
export interface RestRequest {
  readonly method: string;
  /** With its query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

const texts = textsOf({
  nested: { en: 'the arguments are nested too deeply', fr: 'les arguments sont imbriqués trop profondément' },
});

/**
 * What a tool's arguments ask of the REST API. Whether they are right is for that to say; refused here is only what no
 * request can carry: no value, or none that is text, for a part of the path, and another value for what the tool decides.
 */
export function restRequest(call: ToolCall, given: Arguments): RestRequest {
  const own = call.fixed?.fields ?? {};
  const issues = [...pathIssues(call.path, given), ...decidedIssues(call, given)];
  if (issues.length > 0) throw new ValidationError(issues);
  const inPath = parametersOf(call.path);
  const rest = Object.entries(given).filter(([name]) => !inPath.includes(name) && !Object.hasOwn(call.headers, name));
  const body = call.takesBody ? jsonOf({ ...Object.fromEntries(rest), ...own }) : undefined;
  return {
    method: call.method,
    path: `${filledPath(call.path, given)}${call.takesQuery ? queryOf(rest) : ''}`,
    headers: { ...headersOf(call, given), ...keyOf(call, given, rest) },
    ...(body !== undefined && { body }),
  };
}

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function pathIssues(path: string, given: Arguments): Issue[] {
  const schema = z.object(Object.fromEntries(parametersOf(path).map((name) => [name, z.string().min(1)])));
  const { error } = schema.safeParse(given, { reportInput: true });
  return error ? issuesOf(error) : [];
}

function decidedIssues({ fixed }: ToolCall, given: Arguments): Issue[] {
  if (!fixed) return [];
  const differing = Object.keys(fixed.fields).filter(
    (name) => isGiven(given[name]) && given[name] !== fixed.fields[name],
  );
  return differing.map((path) => ({ path, text: fixed.otherwise }));
}

/** `null` for a field is its absence, here as in every body. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A segment of dots would be read as a way up, encoded or not (URL Standard, "double-dot path segment"): it names nothing. */
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

/** A query and a header hold text: what is none is told as JSON, so that the refusal shows what was given. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : jsonOf(value));

function headersOf({ headers }: ToolCall, given: Arguments): Record<string, string> {
  const known = Object.entries(headers).filter(([name]) => isGiven(given[name]));
  return Object.fromEntries(known.map(([name, header]) => [header, carriable(textOf(given[name]))]));
}

/**
 * A header carries no control character and no text beyond Latin-1. Each such character becomes one that a header can
 * carry and that REST refuses, as it would refuse the original, with the same length.
 */
const carriable = (text: string): string => text.replace(/[^ -~]/gu, 'é');

/** The key of a call that was given none: the same arguments have the same, so that a repeated call counts once. */
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

/** JSON has no infinite numbers, but a number may be written that is read as one: it must not turn into null. */
const asWritten = (_: string, value: unknown): unknown =>
  value === Infinity ? rawJson('1e999') : value === -Infinity ? rawJson('-1e999') : value;

/** `JSON.rawJSON` (ECMAScript proposal "JSON.parse source text access", in Node since 21), which the types do not know yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, asWritten) ?? 'null';
  } catch {
    throw new ValidationError([{ path: '', text: texts.nested }]);
  }
}
