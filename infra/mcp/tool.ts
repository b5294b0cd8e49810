import type { ListedTool, ObjectSchema, ToolCall } from '../../shared/contract/catalog.ts';
import type { ResponseDefinition } from '../../shared/contract/route.ts';
import type { Tool } from '../../shared/contract/tools.ts';
import type { Language } from '../../shared/language/languages.ts';
import { type JsonSchema, jsonSchemaOf } from '../openapi/jsonSchema.ts';
import { accessText } from '../openapi/operation.ts';

/** A tool in one language: names and schemas of its route, with the route's own texts unless it has some. */
export function listedTool(tool: Tool, language: Language): ListedTool {
  const { name, route, effect, advice } = tool;
  const title = (tool.title ?? route.summary)[language];
  const sentences = [
    (tool.description ?? route.description)[language],
    advice?.[language],
    accessText(route, language),
  ];
  return {
    name,
    title,
    description: sentences.filter((sentence) => sentence !== undefined).join('\n\n'),
    inputSchema: inputSchema(tool, language),
    outputSchema: outputSchema(tool, language),
    annotations: {
      title,
      readOnlyHint: effect.readOnly,
      destructiveHint: effect.destructive,
      idempotentHint: effect.idempotent,
      openWorldHint: effect.openWorld,
    },
  };
}

/** How a call of the tool becomes a call of its route. */
export function toolCall({ route, fixed, keyedBy, ...tool }: Tool): ToolCall {
  const { method, path, access, request } = route;
  return {
    method,
    path,
    access,
    takesBody: request.body !== undefined,
    takesQuery: request.query !== undefined,
    headers: byArgument(Object.keys(request.headers?.shape ?? {})),
    answerHeaders: byArgument(Object.keys(responseOf({ route, ...tool }).headers ?? {})),
    ...(fixed && { fixed }),
    ...(keyedBy && { keyedBy }),
  };
}

/** Path, query, headers and body as one object; a name that stands in two of them would be an argument of two meanings. */
function inputSchema({ name, route, fixed }: Tool, language: Language): ObjectSchema {
  const { path, query, headers, body } = route.request;
  const parts = [path, query, headers, body].flatMap((part) =>
    part ? [jsonSchemaOf(part, language, 'input') as Partial<ObjectSchema> & { required?: string[] }] : [],
  );
  const named = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const decided = Object.keys(fixed?.fields ?? {});
  const properties = named.map(([key, schema]) => [argumentName(key), schema] as const);
  const names = properties.map(([key]) => key);
  const twice = names.filter((key, index) => names.indexOf(key) !== index);
  if (twice.length > 0) throw new Error(`${name} has two arguments called ${twice.join(', ')}.`);
  const required = parts.flatMap((part) => part.required ?? []).filter((key) => !decided.includes(key));
  return {
    type: 'object',
    properties: Object.fromEntries(properties.filter(([key]) => !decided.includes(key))),
    ...(required.length > 0 && { required }),
    ...definitions(parts),
    // A list refuses a parameter that it does not know; a body's unknown fields are ignored.
    ...(!body && { additionalProperties: false }),
  };
}

function outputSchema(tool: Pick<Tool, 'route' | 'status' | 'name'>, language: Language): ObjectSchema {
  const response = responseOf(tool);
  const { properties, ...schema } = jsonSchemaOf(response.schema, language, 'output') as ObjectSchema;
  if (schema.type !== 'object') throw new Error(`${tool.name} does not answer an object.`);
  const headers = Object.entries(response.headers ?? {}).map(([name, text]) => [
    argumentName(name),
    { type: 'string', description: text[language] },
  ]);
  return { ...schema, type: 'object', properties: { ...properties, ...Object.fromEntries(headers) } };
}

function responseOf({ name, route, status }: Pick<Tool, 'route' | 'status' | 'name'>): ResponseDefinition {
  const response = route.responses.find((one) => status === undefined || one.status === status);
  if (!response) throw new Error(`${name} has no response ${status}.`);
  return response;
}

/** Schemas that refer to themselves (columns of a campaign hold blocks) stand at the root, where their references look. */
function definitions(parts: readonly JsonSchema[]): { $defs?: JsonSchema } {
  const all = Object.assign({}, ...parts.map(({ $defs }) => $defs));
  return Object.keys(all).length > 0 ? { $defs: all } : {};
}

/** Headers are written as fields are: `Idempotency-Key` is `idempotency_key`. */
const argumentName = (name: string): string => (name.includes('-') ? name.toLowerCase().replaceAll('-', '_') : name);

const byArgument = (headers: readonly string[]): Record<string, string> =>
  Object.fromEntries(headers.map((header) => [argumentName(header), header.toLowerCase()]));
