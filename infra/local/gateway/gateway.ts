import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { targetsAt } from '../../../shared/contract/routing.ts';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import { type GatewayError, gatewayBody, gatewayErrors, gatewayHeaders, tooLarge } from '../../gatewayErrors.ts';
import { lambdaContext } from '../lambdaContext.ts';

export type GatewayHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A route or page with its handler. */
export interface GatewayTarget {
  readonly id: string;
  readonly methods: readonly string[];
  readonly path: string;
  readonly timeoutSeconds: number;
  readonly handler: GatewayHandler;
}

/** Besides the targets: the handler of all other paths and methods, and the rate limit in the gateway's own answers. */
interface GatewaySettings {
  readonly fallback: GatewayTarget;
  readonly requestsPerMinute: number;
}

/** Room for a message of 40 MB in base64 and JSON, and for the other fields. */
const maxBodyBytes = 64 * 1024 * 1024;

export interface Gateway {
  readonly port: number;
  /** Serves these from now on; until then every call gets 503 at once. */
  serve(targets: readonly GatewayTarget[], settings: GatewaySettings): void;
  stop(): Promise<void>;
}

/** Listens on the loopback address and calls handlers with events as API Gateway (REST, proxy) sends them. */
export async function startGateway(options: { port: number }): Promise<Gateway> {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (_request, response) => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 65_000;
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    serve: (targets, settings) => {
      answer = (request, response) => dispatch(request, response, targets, settings);
    },
    stop: () => close(server),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new Error(`Port ${port} is in use: choose another with --port or PORT.`) : error,
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Ends when calls in flight have their answers; idle connections are closed at once. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

async function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  targets: readonly GatewayTarget[],
  settings: GatewaySettings,
): Promise<void> {
  const url = urlOf(request.url ?? '/');
  const found = targetsAt(targets, url.pathname).find(({ target }) => target.methods.includes(request.method ?? 'GET'));
  const body = await readBody(request).catch(() => undefined);
  // The client disconnected before its request was complete.
  if (body === undefined) return;
  const target = found?.target ?? settings.fallback;
  const event = { ...eventOf(request, url, target, found?.parameters ?? null), ...carried(body) };
  const context = lambdaContext(target.id, target.timeoutSeconds);
  const result = body === null ? tooLarge(maxBodyBytes / 1024 / 1024) : await invoke(target.handler, event, context);
  const answer =
    'code' in result ? ownAnswer(result, event.requestContext.requestId, settings.requestsPerMinute) : result;
  write(response, answer, request.method === 'HEAD');
}

/** The whole body, or null when it is too large; the rest is then read and dropped. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? null : Buffer.concat(chunks);
}

/**
 * The body in base64, as the deployed API sends it: all its media types are binary (API Gateway Developer Guide, "Content
 * type conversions"). So functions see the bytes, valid UTF-8 or not.
 */
function carried(body: Buffer | null): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> {
  return body && body.length > 0
    ? { body: body.toString('base64'), isBase64Encoded: true }
    : { body: null, isBase64Encoded: false };
}

/** A path that begins with `//` does not name a host here; null for what is not a URL. */
function urlOf(target: string): URL {
  const url = URL.parse(target.startsWith('/') ? `http://gateway${target}` : target, 'http://gateway');
  return url ?? new URL('http://gateway//');
}

function eventOf(
  request: IncomingMessage,
  url: URL,
  target: GatewayTarget,
  pathParameters: Record<string, string> | null,
): APIGatewayProxyEvent {
  const names = Object.keys(request.headersDistinct);
  const queryNames = [...new Set(url.searchParams.keys())];
  return {
    resource: target.path,
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: Object.fromEntries(names.map((name) => [name, request.headersDistinct[name]?.at(-1)])),
    multiValueHeaders: Object.fromEntries(names.map((name) => [name, request.headersDistinct[name]])),
    queryStringParameters:
      queryNames.length === 0
        ? null
        : Object.fromEntries(queryNames.map((name) => [name, url.searchParams.getAll(name).at(-1)])),
    multiValueQueryStringParameters:
      queryNames.length === 0
        ? null
        : Object.fromEntries(queryNames.map((name) => [name, url.searchParams.getAll(name)])),
    pathParameters,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: requestContextOf(request, url, target),
  };
}

function requestContextOf(
  request: IncomingMessage,
  url: URL,
  target: GatewayTarget,
): APIGatewayProxyEvent['requestContext'] {
  const moment = nowMilliseconds();
  return {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: null,
    domainName: request.headers.host ?? '',
    httpMethod: request.method ?? 'GET',
    identity: {
      ...noIdentity,
      sourceIp: request.socket.remoteAddress ?? '',
      userAgent: request.headers['user-agent'] ?? null,
    },
    path: url.pathname,
    protocol: `HTTP/${request.httpVersion}`,
    requestId: randomUUID(),
    requestTimeEpoch: moment,
    resourceId: target.id,
    resourcePath: target.path,
    stage: 'local',
  };
}

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

function write(response: ServerResponse, result: APIGatewayProxyResult, headOnly: boolean): void {
  const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  response.statusCode = result.statusCode;
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) {
    response.setHeader(name, values.map(String));
  }
  response.setHeader('Content-Length', body.length);
  response.end(headOnly ? undefined : body);
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The function's answer, or the gateway's error for a function that failed or timed out. */
async function invoke(
  handler: Handler,
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<APIGatewayProxyResult | GatewayError> {
  const { promise: tooLate, resolve } = Promise.withResolvers<GatewayError>();
  const timer = setTimeout(() => resolve(gatewayErrors.failed), context.getRemainingTimeInMillis());
  try {
    return await Promise.race([handler(event, context), tooLate]);
  } catch (error) {
    console.error(error);
    return gatewayErrors.failed;
  } finally {
    clearTimeout(timer);
  }
}

/** An error of the gateway itself, like the deployed API's (infra/constructs/gatewayResponses.ts). */
function ownAnswer(error: GatewayError, requestId: string, requestsPerMinute: number): APIGatewayProxyResult {
  return {
    statusCode: error.status,
    headers: { 'Content-Type': 'application/json', ...gatewayHeaders(error, requestsPerMinute) },
    body: JSON.stringify(gatewayBody(error, requestId)),
  };
}
