import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleOrigin } from '../../shared/contract/sampleOrigin.ts';
import {
  inJson,
  inSingleQuotes,
  literal,
  pythonNotation,
  typescriptNotation,
} from '../../shared/documentation/literal.ts';
import { clientFolder } from './client.ts';

/** One call of an operation, with the examples of its document. */
export interface DocumentedCall {
  readonly operationId: string;
  readonly method: string;
  /** With placeholders: `/api/v1/emails/{id}`. */
  readonly path: string;
  readonly pathValues: Readonly<Record<string, unknown>>;
  /** Of the parameters without which the call is refused. */
  readonly queryValues: Readonly<Record<string, unknown>>;
  readonly needsKey: boolean;
  readonly idempotencyKey: unknown;
  /** Undefined for a call without a body. */
  readonly body: unknown;
  /** Whether the answer is a list of several pages. */
  readonly isList: boolean;
}

/** The call in curl, with our client, and with the standard library of Python. */
export const codeSamplesOf = (call: DocumentedCall): { lang: string; label: string; source: string }[] => [
  { lang: 'curl', label: 'curl', source: curl(call) },
  { lang: 'typescript', label: 'TypeScript', source: typescript(call) },
  { lang: 'python', label: 'Python', source: python(call) },
];

function urlOf({ path, pathValues, queryValues }: DocumentedCall): string {
  const query = Object.entries(queryValues).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(pathValues[name])));
  return `${sampleOrigin}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function headersOf({ needsKey, idempotencyKey, body }: DocumentedCall): [string, string][] {
  return [
    ...(needsKey ? [['Authorization', ''] as [string, string]] : []),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ...(idempotencyKey === undefined ? [] : [['Idempotency-Key', String(idempotencyKey)] as [string, string]]),
  ];
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether curl and Python choose the method by themselves. */
const isImplied = ({ method, body }: DocumentedCall): boolean =>
  method === 'GET' || (method === 'POST' && body !== undefined);

function curl(call: DocumentedCall): string {
  const { method, body } = call;
  const headers = headersOf(call).map(([name, value]) =>
    name === 'Authorization' ? `-H "${name}: Bearer $MAILROOM_API_KEY"` : `-H ${inShell(`${name}: ${value}`)}`,
  );
  const parts = [
    `curl -sS ${isImplied(call) ? '' : `-X ${method} `}${inShell(urlOf(call))}`,
    ...headers,
    ...(body === undefined ? [] : [`-d ${inShell(inJson(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

const clientPackage = (): string => JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8')).name;

/** The client makes the Idempotency-Key itself. */
function typescript({ operationId, pathValues, queryValues, needsKey, body, isList }: DocumentedCall): string {
  const key = needsKey ? 'apiKey: process.env.MAILROOM_API_KEY, ' : '';
  const input = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(Object.keys(queryValues).length > 0 && { query: queryValues }),
    ...(body !== undefined && { body }),
  };
  const given = Object.keys(input).length > 0 ? literal(input, typescriptNotation) : '';
  const call = `mailroom.${operationId}(${given})`;
  return `import { Mailroom } from ${inSingleQuotes(clientPackage())};

const mailroom = new Mailroom({ ${key}baseUrl: ${inSingleQuotes(sampleOrigin)} });
${isList ? `for await (const entry of ${call}) console.log(entry);` : `console.log(await ${call});`}`;
}

/** The standard library alone, so that it runs wherever Python does. */
function python(call: DocumentedCall): string {
  const { needsKey, body } = call;
  const headers = headersOf(call).map(
    ([name, value]) =>
      `        ${JSON.stringify(name)}: ${
        name === 'Authorization' ? `f"Bearer {os.environ['MAILROOM_API_KEY']}"` : JSON.stringify(value)
      },\n`,
  );
  const modules = ['json', ...(needsKey ? ['os'] : []), 'urllib.request'].map((name) => `import ${name}\n`).join('');
  return `${modules}
request = urllib.request.Request(
    ${JSON.stringify(urlOf(call))},
${isImplied(call) ? '' : `    method="${call.method}",\n`}${headers.length === 0 ? '' : `    headers={\n${headers.join('')}    },\n`}${
  body === undefined ? '' : `    data=json.dumps(${literal(body, pythonNotation, '    ')}).encode(),\n`
})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}
