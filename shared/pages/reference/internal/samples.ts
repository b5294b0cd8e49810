import { publicUrl } from '../../../platform/config.ts';
import { type ApiOperation, type Parameter, type ReferenceDocument, resolved } from './document.ts';

/** One call of an operation, made of the examples of the OpenAPI document. */
export interface SampleCall {
  readonly operationId: string;
  readonly method: string;
  /** Examples of the path's parameters, by name and in the order of the path. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly url: string;
  readonly needsKey: boolean;
  readonly idempotencyKey: string | null;
  /** Undefined for a call without a body. */
  readonly body: unknown;
}

/** A call as a program in one language. */
export interface Sample {
  readonly name: 'curl' | 'typescript' | 'python';
  readonly title: string;
  readonly code: string;
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
  const pathValues = Object.fromEntries(names.map((name) => [name, exampleOf(name)]));
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    pathValues,
    url: publicUrl() + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValues[name] ?? '')),
    needsKey: (operation.security ?? []).length > 0,
    idempotencyKey: exampleOf('Idempotency-Key') || null,
    body: operation.requestBody?.content['application/json']?.example,
  };
}

/** The call in every language: what only needs a shell first. */
export function samplesOf(call: SampleCall): readonly Sample[] {
  const argumentsOfResend = resendCalls[call.operationId];
  return [
    { name: 'curl', title: 'curl', code: curl(call) },
    {
      name: 'typescript',
      title: 'TypeScript',
      code: argumentsOfResend ? resend(argumentsOfResend(call)) : typescript(call),
    },
    { name: 'python', title: 'Python', code: python(call) },
  ];
}

function headersOf({ needsKey, idempotencyKey, body }: SampleCall, key: string): [string, string][] {
  return [
    ...(needsKey ? [['Authorization', key] as [string, string]] : []),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ...(idempotencyKey === null ? [] : [['Idempotency-Key', idempotencyKey] as [string, string]]),
  ];
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(call: SampleCall): string {
  const { method, url, body } = call;
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  const headers = headersOf(call, 'Bearer $MAILROOM_API_KEY').map(([name, value]) =>
    name === 'Authorization' ? `-H "${name}: ${value}"` : `-H ${inShell(`${name}: ${value}`)}`,
  );
  const parts = [
    `curl -sS ${isImplied ? '' : `-X ${method} `}${inShell(url)}`,
    ...headers,
    ...(body === undefined ? [] : [`-d ${inShell(inJson(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** How a language writes what JSON can hold. */
interface Notation {
  /** Whether the last member has a comma too. */
  readonly lastComma: string;
  /** Inside the braces of an object on one line. */
  readonly padding: string;
  readonly indent: string;
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly words: Readonly<Record<string, string>>;
}

const inSingleQuotes = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const jsonNotation: Notation = {
  lastComma: '',
  padding: ' ',
  indent: '  ',
  name: JSON.stringify,
  text: JSON.stringify,
  words: {},
};

const typescriptNotation: Notation = {
  lastComma: ',',
  padding: ' ',
  indent: '  ',
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : inSingleQuotes(name)),
  text: inSingleQuotes,
  words: {},
};

const pythonNotation: Notation = {
  lastComma: ',',
  padding: '',
  indent: '    ',
  name: JSON.stringify,
  text: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A value of JSON in a language; small objects and arrays are on one line. */
function literal(value: unknown, notation: Notation, indent: string): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return notation.words[String(value)] ?? String(value);
  const inner = indent + notation.indent;
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, notation, inner))
    : Object.entries(value).map(([name, member]) => `${notation.name(name)}: ${literal(member, notation, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = members.join(', ');
  if (line.length < 60 && !line.includes('\n')) {
    const space = Array.isArray(value) || line === '' ? '' : notation.padding;
    return `${open}${space}${line}${space}${close}`;
  }
  return `${open}\n${inner}${members.join(`,\n${inner}`)}${notation.lastComma}\n${indent}${close}`;
}

/** JSON with small objects and arrays on one line. */
export const inJson = (value: unknown): string => literal(value, jsonNotation, '');
const inTypescript = (value: unknown, indent = ''): string => literal(value, typescriptNotation, indent);

function typescript(call: SampleCall): string {
  const { method, url, body } = call;
  const headers = headersOf(call, '').map(
    ([name, value]) =>
      `    ${typescriptNotation.name(name)}: ${
        name === 'Authorization' ? '`Bearer ${process.env.MAILROOM_API_KEY}`' : inSingleQuotes(value)
      },\n`,
  );
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',\n`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },\n`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${inTypescript(body, '  ')}),\n`]),
  ].join('');
  return `const response = await fetch(${inSingleQuotes(url)}${options === '' ? '' : `, {\n${options}}`});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

/** `scheduled_at` is `scheduledAt` in the client. */
const inCamelCase = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          member,
        ]),
      )
    : value;

const [id, body] = [
  ({ pathValues }: SampleCall) => inTypescript(Object.values(pathValues)[0]),
  (call: SampleCall) => inTypescript(call.body),
];
const keyed = ({ idempotencyKey }: SampleCall): string =>
  idempotencyKey === null ? '' : `, ${inTypescript({ idempotencyKey })}`;

/** The operations that the client of Resend calls as ours expect it (docs/resend.md), and how it is called. */
const resendCalls: Readonly<Record<string, (call: SampleCall) => string>> = {
  'emails.send': (call) => `emails.send(${body(call)}${keyed(call)})`,
  'emails.sendBatch': (call) => `batch.send(${body(call)}${keyed(call)})`,
  'emails.list': () => 'emails.list()',
  'emails.get': (call) => `emails.get(${id(call)})`,
  'emails.update': (call) =>
    `emails.update(${inTypescript({ ...call.pathValues, ...(inCamelCase(call.body) as object) })})`,
  'emails.cancel': (call) => `emails.cancel(${id(call)})`,
  'templates.list': () => 'templates.list()',
  'templates.get': (call) => `templates.get(${id(call)})`,
  'templates.update': (call) => `templates.update(${id(call)}, ${body(call)})`,
  'templates.delete': (call) => `templates.remove(${id(call)})`,
  'webhooks.list': () => 'webhooks.list()',
  'webhooks.get': (call) => `webhooks.get(${id(call)})`,
  'webhooks.delete': (call) => `webhooks.remove(${id(call)})`,
  'domains.list': () => 'domains.list()',
  'domains.get': (call) => `domains.get(${id(call)})`,
};

const resend = (call: string): string => `import { Resend } from 'resend';

const resend = new Resend(process.env.MAILROOM_API_KEY, { baseUrl: ${inSingleQuotes(`${publicUrl()}/api/v1`)} });
const { data, error } = await resend.${call};
if (error) throw new Error(error.message);
console.log(data);`;

/** The standard library alone, so that it runs wherever Python does. */
function python(call: SampleCall): string {
  const { method, url, needsKey, body } = call;
  const headers = headersOf(call, '').map(
    ([name, value]) =>
      `        ${JSON.stringify(name)}: ${
        name === 'Authorization' ? `f"Bearer {os.environ['MAILROOM_API_KEY']}"` : JSON.stringify(value)
      },\n`,
  );
  const modules = ['json', ...(needsKey ? ['os'] : []), 'urllib.request'].map((name) => `import ${name}\n`).join('');
  return `${modules}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",
${headers.length === 0 ? '' : `    headers={\n${headers.join('')}    },\n`}${
  body === undefined ? '' : `    data=json.dumps(${literal(body, pythonNotation, '    ')}).encode(),\n`
})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}
