import { type ApiOperation, type Parameter, type ReferenceDocument, resolved } from './document.ts';

/** One call of an operation, made of the examples of the OpenAPI document. */
export interface SampleCall {
  readonly method: string;
  /** Examples of the path's parameters, by name and in the order of the path. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** Examples of the parameters without which the call is refused. */
  readonly queryValues: Readonly<Record<string, string>>;
  readonly needsKey: boolean;
  /** Undefined for a call without a body. */
  readonly body: unknown;
}

export function sampleCallOf(
  document: ReferenceDocument,
  method: string,
  path: string,
  operation: ApiOperation,
): SampleCall {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  const exampleOf = (name: string) => String(parameters.find((one) => one.name === name)?.schema.examples?.[0] ?? '');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  return {
    method: method.toUpperCase(),
    pathValues: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
    queryValues: Object.fromEntries(needed.map(({ name }) => [name, exampleOf(name)])),
    needsKey: (operation.security ?? []).length > 0,
    body: operation.requestBody?.content['application/json']?.example,
  };
}
