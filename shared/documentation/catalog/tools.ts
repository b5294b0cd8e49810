import { fieldNamesOf, type NameRules, nameRulesOf } from '../../contract/fieldNames.ts';
import type { ResponseDefinition, Route } from '../../contract/route.ts';
import type { Effect, Tool } from '../../contract/tools.ts';
import type { Language } from '../../language/languages.ts';
import { textsOf } from '../../language/text.ts';
import { accessText } from '../chapters.ts';
import { jsonSchemaOf } from '../jsonSchema.ts';
import { compactInput, compactOutput } from './internal/compactSchema.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A JSON Schema of an object. */
type ObjectSchema = {
  type: 'object';
  properties?: Record<string, Json>;
  required?: string[];
  [keyword: string]: unknown;
};

/** A tool as `tools/list` returns it (MCP, `Tool`). */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Only of the usual tools: what the others answer stands in the reference. */
  readonly outputSchema?: ObjectSchema;
  /** Of the tools of a toolset only what differs from the protocol's defaults. */
  readonly annotations: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

const texts = textsOf({
  sameAs: { en: 'As in `{tool}`.', fr: 'Comme dans `{tool}`.' },
  listSameAs: { en: 'Each with the arguments of `{tool}`.', fr: 'Chacun avec les arguments de `{tool}`.' },
});

/** The REST call behind a tool. An argument that is neither in the path nor a header goes into the body or the query. */
export interface ToolCall extends Pick<Route, 'method' | 'path' | 'access'>, Pick<Tool, 'fixed' | 'keyedBy'> {
  /** The names of its arguments, and the rules for other names. */
  readonly arguments: NameRules & { readonly known: readonly string[] };
  readonly takesBody: boolean;
  /** The argument that is the whole body. */
  readonly listArgument?: string;
  readonly takesQuery: boolean;
  /** Header by argument: `idempotency_key` is sent as `idempotency-key`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Response headers that are added to the result as fields, by the name of the field. */
  readonly answerHeaders: Readonly<Record<string, string>>;
}

/** A tool in one language, with the schemas of its route, and the texts of the route unless it has its own. */
export function listedTool(tool: Tool, language: Language, { isUsual = true } = {}): ListedTool {
  const { name, route, advice } = tool;
  const title = (tool.title ?? route.summary)[language];
  const paragraphs = [
    (tool.description ?? route.description)[language],
    advice?.[language],
    accessText(route, language),
  ];
  return {
    name,
    title,
    description: paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n'),
    inputSchema: inputSchema(tool, language),
    ...(isUsual && { outputSchema: outputSchema(tool, language) }),
    annotations: isUsual ? hints(tool.effect) : shortHints(tool.effect),
  };
}

const hints = ({ readOnly, destructive, idempotent, openWorld }: Effect) => ({
  readOnlyHint: readOnly,
  destructiveHint: destructive,
  idempotentHint: idempotent,
  openWorldHint: openWorld,
});

/** Of a tool that only reads, the other two hints mean nothing (MCP, `ToolAnnotations`). */
function shortHints({ readOnly, destructive, idempotent, openWorld }: Effect): ListedTool['annotations'] {
  if (readOnly) return { readOnlyHint: true, openWorldHint: openWorld };
  return { destructiveHint: destructive, ...(idempotent && { idempotentHint: true }), openWorldHint: openWorld };
}

/** A call that may be repeated needs no Idempotency-Key. */
const headersOf = ({ route, effect }: Pick<Tool, 'route' | 'effect'>) =>
  effect.idempotent ? undefined : route.request.headers;

export function toolCall({ route, fixed, keyedBy, ...tool }: Tool): ToolCall {
  const { method, path, access, request } = route;
  return {
    method,
    path,
    access,
    arguments: argumentsOf({ ...tool, route, ...(fixed && { fixed }) }),
    takesBody: request.body !== undefined,
    ...(tool.listArgument && { listArgument: tool.listArgument }),
    // A call with a body may declare that it takes no query.
    takesQuery: request.query !== undefined && request.body === undefined,
    headers: byArgument(Object.keys(headersOf({ route, ...tool })?.shape ?? {})),
    answerHeaders: byArgument(Object.keys(responseOf({ route, ...tool }).headers ?? {})),
    ...(fixed && { fixed }),
    ...(keyedBy && { keyedBy }),
  };
}

/** An unknown argument is refused. What the API calls `dry_run` is a tool of its own here. */
function argumentsOf({
  route,
  fixed,
  listArgument,
  effect,
  without = [],
}: Pick<Tool, 'route' | 'fixed' | 'listArgument' | 'effect' | 'without'>): ToolCall['arguments'] {
  const { path, query, body } = route.request;
  const headers = headersOf({ route, effect });
  const fixedFields = Object.keys(fixed?.fields ?? {});
  const names = listArgument
    ? [...[path, query, headers].flatMap(fieldNamesOf), listArgument]
    : [path, query, headers, body].flatMap(fieldNamesOf);
  const { reserved = [] } = (body && nameRulesOf(body)?.rules) ?? {};
  return {
    unknown: 'refused',
    reserved: reserved.map((one) =>
      fixed && fixedFields.includes(one.field) ? { ...one, text: fixed.otherwise } : one,
    ),
    known: [...new Set(names.map(argumentName))].filter((argument) => !without.includes(argument)),
  };
}

/** Path, query, headers and body as one object. Throws when two of them have a field of the same name. */
function inputSchema(tool: Tool, language: Language): ObjectSchema {
  const { name, route, fixed, listArgument, sameAs = {}, without = [] } = tool;
  const { path, query, body } = route.request;
  const headers = headersOf(tool);
  const parts = [path, query, headers, body].flatMap((part) => {
    if (!part) return [];
    const schema = jsonSchemaOf(part, language, 'input');
    const isList = part === body && listArgument !== undefined;
    return [
      (isList
        ? { properties: { [listArgument]: schema }, required: [listArgument] }
        : schema) as Partial<ObjectSchema> & {
        required?: string[];
      },
    ];
  });
  const fixedNames = [...Object.keys(fixed?.fields ?? {}), ...without];
  const properties = parts
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .map(([key, schema]) => {
      const other = Object.hasOwn(sameAs, key) ? sameAs[key] : undefined;
      const isList = key === listArgument;
      return [argumentName(key), other === undefined ? schema : described(schema, other, isList, language)] as const;
    });
  const names = properties.map(([key]) => key);
  const duplicates = names.filter((key, index) => names.indexOf(key) !== index);
  if (duplicates.length > 0) throw new Error(`${name} has two arguments called ${duplicates.join(', ')}.`);
  const required = parts.flatMap((part) => part.required ?? []).filter((key) => !fixedNames.includes(key));
  return compactInput({
    type: 'object',
    properties: Object.fromEntries(properties.filter(([key]) => !fixedNames.includes(key))),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  });
}

/** An argument that another tool describes, with examples. */
function described(schema: Json, other: string, isList: boolean, language: Language): Json {
  const { type } = schema as Record<string, Json>;
  const description = texts[isList ? 'listSameAs' : 'sameAs'][language].replace('{tool}', other);
  return { ...(type !== undefined && { type }), description };
}

function outputSchema(tool: Pick<Tool, 'route' | 'status' | 'name'>, language: Language): ObjectSchema {
  const response = responseOf(tool);
  const { properties, ...schema } = jsonSchemaOf(response.schema, language, 'output') as ObjectSchema;
  if (schema.type !== 'object') throw new Error(`${tool.name} does not answer an object.`);
  const headers = Object.entries(response.headers ?? {}).map(([name, text]) => [
    argumentName(name),
    { type: 'string', description: text[language] },
  ]);
  return compactOutput({ ...schema, type: 'object', properties: { ...properties, ...Object.fromEntries(headers) } });
}

function responseOf({ name, route, status }: Pick<Tool, 'route' | 'status' | 'name'>): ResponseDefinition {
  const response = route.responses.find((one) => status === undefined || one.status === status);
  if (!response) throw new Error(`${name} has no response ${status}.`);
  return response;
}

/** Headers are named like fields: `Idempotency-Key` is the argument `idempotency_key`. */
const argumentName = (name: string): string => (name.includes('-') ? name.toLowerCase().replaceAll('-', '_') : name);

const byArgument = (headers: readonly string[]): Record<string, string> =>
  Object.fromEntries(headers.map((header) => [argumentName(header), header.toLowerCase()]));
