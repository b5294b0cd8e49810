import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { PassingError } from '../contract/errors.ts';
import type { Input, Page, Result, Route } from '../contract/route.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { now, stopwatch } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../platform/deadline.ts';
import { addLogFields, logger, withLogFields } from '../platform/logger.ts';
import type { Context as CallContext, KeyActor, PublicContext, Verb } from '../services/context.ts';
import { type Authentication, admit, authenticate, headerOf, type KeyCaller, rateHeaders } from './authenticate.ts';
import { type ParsedRequest, parseRequest } from './internal/parse.ts';
import {
  anyOrigin,
  cacheable,
  ignoredHeader,
  type RouteReply,
  transportable,
  wireError,
  wireReply,
} from './response.ts';

/** An authenticated and parsed call of a route. */
export interface Call {
  readonly route: Route;
  readonly request: ParsedRequest;
  /** Null on public routes only. */
  readonly caller: KeyCaller | null;
  readonly language: Language;
  readonly requestId: string;
  readonly now: Date;
  readonly target: { readonly method: string; readonly path: string };
}

/** What the middlewares know of a request, in the order in which they fill it in. */
interface RequestState extends Record<string, unknown> {
  elapsed: () => number;
  language: Language;
  authentication?: Authentication;
  ignored?: readonly string[];
}

type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult | RouteReply, Error, Context, RequestState>;
type Middleware = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult | RouteReply,
  Error,
  Context,
  RequestState
>;

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The verb of a route as a Lambda handler. Lists with a cursor use `paged` instead. */
export function http<R extends Route>(route: R, verb: Verb<R>): HttpHandler {
  if (isPaged(route)) throw new Error(`The route ${route.id} is paged: use paged() for its function.`);
  if (route.keepsAnswer) throw new Error(`The route ${route.id} keeps its answers: use keeping() for its function.`);
  return endpoint(route, (call) => callVerb(route, verb, call));
}

/**
 * A route as a Lambda handler, in this order: language, settings, key, scope and rate limit, parsing, `handle`,
 * serialisation. It never throws: every error becomes a response in the contract's shape.
 */
export function endpoint(route: Route, handle: (call: Call) => Promise<RouteReply>): HttpHandler {
  const pipeline = middy<APIGatewayProxyEvent, APIGatewayProxyResult | RouteReply, Error, Context, RequestState>()
    .use(route.crossOrigin ? [crossOrigin, serialisation(route)] : serialisation(route))
    .use(language)
    .use(settings)
    .use(authentication(route))
    .use(parsing(route))
    .handler(async (_event: APIGatewayProxyEvent, context: Context) => handle(calls.get(context) as Call));
  const handler = pipeline as unknown as HttpHandler;
  return (event, context) => {
    const logFields = {
      request_id: event.requestContext.requestId,
      function_request_id: context.awsRequestId,
      route: route.id,
    };
    const run = () => withinInvocation(context, () => handler(event, context), gatewayMilliseconds);
    return withLogFields(logFields, run);
  };
}

/** The parsed call of each invocation: its context is the one object that middy also passes to the handler. */
const calls = new WeakMap<Context, Call>();

const language: Middleware = {
  before: (request) => {
    request.internal.elapsed = stopwatch();
    request.internal.language = languageOf(headerOf(request.event, 'accept-language'));
  },
};

const settings: Middleware = { before: ({ event }) => takeSettings(event.stageVariables) };

const authentication = (route: Route): Middleware => ({
  before: async (request) => {
    const at = now();
    const result = await authenticate(request.event, at);
    request.internal.authentication = result;
    addLogFields({ workspace_id: result.caller?.workspaceId, key_id: result.caller?.keyId });
    admit(route, result, at);
  },
});

const parsing = (route: Route): Middleware => ({
  before: (request) => {
    const parsed = parseRequest(route, request.event);
    request.internal.ignored = parsed.ignored;
    calls.set(request.context, {
      route,
      request: parsed,
      caller: request.internal.authentication?.caller ?? null,
      language: request.internal.language,
      requestId: request.event.requestContext.requestId,
      now: now(),
      target: { method: request.event.httpMethod, path: request.event.path },
    });
  },
});

const serialisation = ({ cacheSeconds }: Route): Middleware => ({
  after: async (request) => {
    const result = wireReply(request.response as RouteReply, headersOf(request));
    request.response = await (cacheSeconds
      ? cacheable(result, request.event, cacheSeconds)
      : transportable(result, request.event));
    logCall(request, request.response.statusCode);
  },
  onError: async (request) => {
    const context = {
      language: request.internal.language ?? defaultLanguage,
      requestId: request.event.requestContext.requestId,
    };
    const refusal = wireError(request.error, context, headersOf(request));
    const response = await transportable(refusal, request.event).catch((error: unknown) =>
      wireError(error, context, headersOf(request)),
    );
    if (isOurs(response.statusCode) && !isDecided(request.error))
      logger.error('The verb failed.', request.error as Error);
    logCall(request, response.statusCode);
    request.response = response;
  },
});

/** Whether a status reports a failure of ours: 502 is that of the provider. */
const isOurs = (status: number): boolean => status === 500 || status === PassingError.status;

/** What operators decided is no failure. */
const isDecided = (error: unknown): boolean => error instanceof PassingError && error.details.reason === 'sending_held';

const allowAnyOrigin = (request: Request): void => {
  const { response } = request;
  if (response) request.response = { ...response, headers: { ...response.headers, ...anyOrigin } };
};
const crossOrigin: Middleware = { after: allowAnyOrigin, onError: allowAnyOrigin };

const headersOf = ({ internal, event }: Request): Record<string, string> => ({
  'X-Request-Id': event.requestContext.requestId,
  'Content-Language': internal.language ?? defaultLanguage,
  ...rateHeaders(internal.authentication?.window),
  ...ignoredHeader(internal.ignored),
});

function logCall(request: Request, status: number): void {
  logger.info('call', { status, duration_ms: Math.round(request.internal.elapsed()) });
}

/** What a cursor is signed with: it is valid for this workspace, this list and these filters only. */
export interface CursorScope {
  readonly workspaceId: string;
  readonly list: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Reads and writes cursors (see `paged`). Only paged routes have it, because it needs the service secret. */
export interface Cursors {
  encodeCursor(scope: CursorScope, position: string | null): Promise<string | null>;
  decodeCursor(scope: CursorScope, cursor: string | undefined): Promise<string | undefined>;
}

const isPaged = ({ request }: Route): boolean => Object.hasOwn(request.query?.shape ?? {}, 'cursor');

/** Calls the verb of a route with the fields of the request, and turns its result into a reply. */
export async function callVerb<R extends Route>(
  route: R,
  verb: Verb<R>,
  call: Call,
  cursors?: Cursors,
): Promise<RouteReply> {
  const input = await inputOf(call, cursors);
  const result = await verb(contextOf(call) as Parameters<Verb<R>>[0], input as Input<R>);
  return replyOf(route, result, call, cursors);
}

function contextOf({ caller, language, now, requestId }: Call): CallContext<KeyActor> | PublicContext {
  const common = { language, now, requestId };
  return caller ? { ...common, actor: caller, workspaceId: caller.workspaceId } : common;
}

/** All parts of the request in one object: header names in camelCase, the cursor as the position `after`. */
async function inputOf(call: Call, cursors?: Cursors): Promise<Record<string, unknown>> {
  const { path, query, headers, body } = call.request;
  const headerFields = Object.entries(headers ?? {}).map(([name, value]) => [camelCase(name), value]);
  const { cursor, after, ...filters } = query ?? {};
  const decoded = cursors && (await cursors.decodeCursor(scopeOf(call), cursor as string | undefined));
  const position = cursors ? { after: after ?? decoded } : {};
  return { ...path, ...filters, ...position, ...Object.fromEntries(headerFields), ...body };
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function scopeOf({ route, request, caller }: Call): CursorScope {
  const { limit: _limit, cursor: _cursor, after: _after, ...filters } = { ...request.path, ...request.query };
  return { workspaceId: caller?.workspaceId ?? '', list: route.id, filters };
}

async function replyOf<R extends Route>(
  route: R,
  result: Result<R>,
  call: Call,
  cursors?: Cursors,
): Promise<RouteReply> {
  if (isPage(result)) {
    const next = cursors ? await cursors.encodeCursor(scopeOf(call), result.next) : null;
    const body = { object: 'list', data: result.entries, has_more: next !== null, next_cursor: next };
    return { status: statusOf(route), body };
  }
  if (!route.outcomes) return { status: statusOf(route), body: result };
  const { outcome, output } = result as { outcome: string; output: unknown };
  const { status, headers = {} } = route.outcomes[outcome] ?? { status: statusOf(route) };
  return { status, headers, body: output };
}

const statusOf = ({ responses }: Route): number => responses[0]?.status ?? 200;

/** No other result has a field `entries`. */
const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'entries' in result && 'next' in result;
