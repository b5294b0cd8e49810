import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

export interface BundledCall {
  /** Of the bundle. */
  readonly folder: string;
  readonly method: string;
  readonly path: string;
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly pathParameters?: Record<string, string>;
}

/** Loads the bundles one after another and calls each with its event, as Lambda does. */
const program = `
  import { text } from 'node:stream/consumers';
  const answers = [];
  for (const { file, event } of JSON.parse(await text(process.stdin))) {
    const { handler } = await import(file);
    const context = { awsRequestId: 'function-1', getRemainingTimeInMillis: () => 29_000 };
    answers.push(event ? await handler(event, context) : typeof handler);
  }
  process.stdout.write('\\n' + JSON.stringify(answers));
`;

/** Imports bundles in a process without other modules; answers the type of each handler. */
export async function importBundles(folders: readonly string[]): Promise<string[]> {
  const files = folders.map((folder) => ({ file: join(folder, 'index.mjs') }));
  return (await run<string>(files, {})).answers;
}

/** Calls bundled handlers, in order, in a process with this environment. */
export async function callBundles(
  calls: readonly BundledCall[],
  environment: Readonly<Record<string, string>>,
): Promise<APIGatewayProxyResult[]> {
  return (await run<APIGatewayProxyResult>(calls.map(filed), environment)).answers;
}

/** The log of a call of a bundled handler. */
export async function logOfBundle(
  call: BundledCall,
  environment: Readonly<Record<string, string>>,
): Promise<readonly Record<string, unknown>[]> {
  const { log } = await run([filed(call)], { ...environment, POWERTOOLS_LOG_LEVEL: 'INFO' });
  return log.map((line) => JSON.parse(line));
}

const filed = (call: BundledCall) => ({ file: join(call.folder, 'index.mjs'), event: eventOf(call) });

async function run<Answer>(
  calls: readonly object[],
  environment: Readonly<Record<string, string>>,
): Promise<{ answers: Answer[]; log: string[] }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: '/',
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(calls));
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(errors);
  const lines = output.split('\n');
  return { answers: JSON.parse(lines.pop() ?? ''), log: [...lines, ...errors.split('\n')].filter(Boolean) };
}

function eventOf({ method, path, apiKey, body, headers, pathParameters }: BundledCall): Partial<APIGatewayProxyEvent> {
  return {
    httpMethod: method,
    path,
    headers: { 'Content-Type': 'application/json', ...(apiKey && { Authorization: `Bearer ${apiKey}` }), ...headers },
    pathParameters: pathParameters ?? null,
    queryStringParameters: null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: '192.0.2.7' },
    } as APIGatewayProxyEvent['requestContext'],
  };
}
