import type { Route } from '../../shared/contract/route.ts';
import { type JsonSchema, jsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';

/** Hostile path parameters, as they are in the URL. */
export const oddPaths = ['%00', '%2F', '%', '%E0%A4%A', '😀', 'a'.repeat(3000), "';--", '%0d%0aX-Odd:1', '__proto__'];

export const badQueries = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=many',
  'limit=',
  'limit=1e1',
  'limit=0x10',
  'limit=%2010',
  'limit=10%20',
  'limit=+10',
  'limit=010',
  'limit=10.0',
  'limit=１０',
  'cursor=',
  'cursor=garbage',
  'cursor=e30.e30',
  'cursor=%00',
  'email=nobody',
  'q=a',
  'status=nothing',
];

const oddValues: readonly unknown[] = [
  null,
  0,
  -1.5,
  true,
  '',
  ' ',
  'text',
  'a\r\nBcc: eve@example.net',
  '\u0000',
  '\ud800',
  '😀'.repeat(2000),
  [],
  [null],
  [[]],
  ['', 1],
  Array.from({ length: 1001 }, () => 'a@example.net'),
  {},
  { a: { b: [] } },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
];

/** The route's example with one field missing or hostile at a time, and with all fields wrong. */
export function oddBodies(route: Route): unknown[] {
  if (!route.request.body) return [];
  const { isList, schema, example, wrapped } = entryOf(route);
  const { properties = {} } = schema as { properties?: object };
  const bodies = Object.keys(properties).flatMap((name) => {
    const { [name]: _, ...rest } = example;
    return [rest, ...oddValues.map((value) => ({ ...example, [name]: value }))];
  });
  const names = Object.keys(properties);
  const every = [...bodies, {}, ...oddValues.map((value) => Object.fromEntries(names.map((name) => [name, value])))];
  return [...every.map(wrapped), ...(isList ? oddValues.map((value) => [value]) : [])];
}

/** The schema of an object body, or of the entries of an array. */
export function entryOf({ request }: Route) {
  const schema = (request.body && jsonSchemaOf(request.body, 'en', 'input')) ?? {};
  const isList = request.list !== undefined;
  const [first] = [request.example].flat() as Record<string, unknown>[];
  return {
    isList,
    schema: isList ? (schema.items as JsonSchema) : schema,
    example: first ?? {},
    wrapped: (entry: object): object => (isList ? [entry] : entry),
  };
}
