import { fieldNamesOf, type NameRules, nameRulesOf } from '../../contract/fieldNames.ts';
import type { ResponseDefinition, Route } from '../../contract/route.ts';
import type { Tool } from '../../contract/tools.ts';
import { accessText } from '../../documentation/chapters.ts';
import { jsonSchemaOf } from '../../documentation/jsonSchema.ts';
import type { Language } from '../../language/languages.ts';
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
  readonly outputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The REST call behind a tool. An argument that is neither in the path nor a header goes into the body or the query. */
export interface ToolCall extends Pick<Route, 'method' | 'path' | 'access'>, Pick<Tool, 'fixed' | 'keyedBy'> {
  /** The names of its arguments, and the rules for other names. */
  readonly arguments: NameRules & { readonly known: readonly string[] };
  readonly takesBody: boolean;
  readonly takesQuery: boolean;
  /** Header by argument: `idempotency_key` is sent as `idempotency-key`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Response headers that are added to the result as fields, by the name of the field. */
  readonly answerHeaders: Readonly<Record<string, string>>;
}

/** A tool in one language, with the schemas of its route, and the texts of the route unless it has its own. */
export function listedTool(tool: Tool, language: Language): ListedTool {
  const { name, route, effect, advice } = tool;
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
    outputSchema: outputSchema(tool, language),
    annotations: {
      readOnlyHint: effect.readOnly,
      destructiveHint: effect.destructive,
      idempotentHint: effect.idempotent,
      openWorldHint: effect.openWorld,
    },
  };
}

export function toolCall({ route, fixed, keyedBy, ...tool }: Tool): ToolCall {
  const { method, path, access, request } = route;
  return {
    method,
    path,
    access,
    arguments: argumentsOf({ route, ...tool, ...(fixed && { fixed }) }),
    takesBody: request.body !== undefined,
    takesQuery: request.query !== undefined,
    headers: byArgument(Object.keys(request.headers?.shape ?? {})),
    answerHeaders: byArgument(Object.keys(responseOf({ route, ...tool }).headers ?? {})),
    ...(fixed && { fixed }),
    ...(keyedBy && { keyedBy }),
  };
}

/** An unknown argument is refused. What the API calls `dry_run` is a tool of its own here. */
function argumentsOf({ route, fixed }: Pick<Tool, 'route' | 'fixed'>): ToolCall['arguments'] {
  const { path, query, headers, body } = route.request;
  const fixedFields = Object.keys(fixed?.fields ?? {});
  const names = [path, query, headers, body].flatMap(fieldNamesOf);
  const { reserved = [] } = (body && nameRulesOf(body)?.rules) ?? {};
  return {
    unknown: 'refused',
    reserved: reserved.map((one) =>
      fixed && fixedFields.includes(one.field) ? { ...one, text: fixed.otherwise } : one,
    ),
    known: [...new Set(names.map(argumentName))],
  };
}

/** Path, query, headers and body as one object. Throws when two of them have a field of the same name. */
function inputSchema({ name, route, fixed }: Tool, language: Language): ObjectSchema {
  const { path, query, headers, body } = route.request;
  const parts = [path, query, headers, body].flatMap((part) =>
    part ? [jsonSchemaOf(part, language, 'input') as Partial<ObjectSchema> & { required?: string[] }] : [],
  );
  const fixedNames = Object.keys(fixed?.fields ?? {});
  const properties = parts
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .map(([key, schema]) => [argumentName(key), schema] as const);
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
