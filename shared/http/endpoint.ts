import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Route } from '../contract/route.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { now } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../platform/deadline.ts';
import { addLogFields, withLogFields } from '../platform/logContext.ts';
import { logger } from '../platform/logger.ts';
import type { Verb } from '../services/context.ts';
import { type Authentication, admit, authenticate } from './authenticate.ts';
import type { Call, Reply } from './call.ts';
import { headerOf } from './credentials.ts';
import { parseRequest } from './parse.ts';
import { transportable } from './payload.ts';
import { rateHeaders } from './rateLimit.ts';
import { answer, isPaged } from './verb.ts';
import { anyOrigin, wireError, wireReply } from './wire.ts';

/** What the middlewares learn of one request, in the order in which they learn it. */
interface Progress extends Record<string, unknown> {
  startedAt: number;
  language: Language;
  authentication?: Authentication;
  call?: Call;
}

type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult | Reply, Error, Context, Progress>;
type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult | Reply, Error, Context, Progress>;

export type Endpoint = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A verb as a Lambda handler; a paged one is made with `paged` instead. */
export function http<R extends Route>(route: R, verb: Verb<R>): Endpoint {
  if (isPaged(route)) throw new Error(`The route ${route.id} is paged: its function is made with paged().`);
  return endpoint(route, (call) => answer(route, verb, call));
}

/**
 * What a route does as a Lambda handler: language, key, scope, rate limit, parsing, the work, serialisation, error
 * mapping. It never throws: every outcome is a response in the contract's shape.
 */
export function endpoint(route: Route, work: (call: Call) => Promise<Reply>): Endpoint {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult | Reply, Error, Context, Progress>()
    .use(route.crossOrigin ? [readableAnywhere, answering] : answering)
    .use(language)
    .use(settings)
    .use(authentication(route))
    .use(parsing(route))
    .handler(async (_event: APIGatewayProxyEvent, context: Context) => work(calls.get(context) as Call));
  const answer = handler as unknown as Endpoint;
  return (event, context) => {
    const fields = {
      request_id: event.requestContext.requestId,
      function_request_id: context.awsRequestId,
      route: route.id,
    };
    const work = () => withinInvocation(context, () => answer(event, context), gatewayMilliseconds);
    return withLogFields(fields, work);
  };
}

/** The work finds its call by the invocation's context, which is an object of its own for each invocation. */
const calls = new WeakMap<Context, Call>();

const language: Middleware = {
  before: (request) => {
    request.internal.startedAt = Date.now();
    request.internal.language = languageOf(headerOf(request.event, 'accept-language'));
  },
};

const settings: Middleware = { before: ({ event }) => takeSettings(event.stageVariables) };

const authentication = (route: Route): Middleware => ({
  before: async (request) => {
    const at = now();
    const found = await authenticate(request.event, at);
    request.internal.authentication = found;
    addLogFields({ workspace_id: found.caller?.workspaceId, key_id: found.caller?.keyId });
    admit(route, found, at);
  },
});

const parsing = (route: Route): Middleware => ({
  before: (request) => {
    calls.set(request.context, {
      route,
      request: parseRequest(route, request.event),
      caller: request.internal.authentication?.caller ?? null,
      language: request.internal.language,
      requestId: request.event.requestContext.requestId,
      now: now(),
      target: { method: request.event.httpMethod, path: request.event.path },
      lambda: request.context,
    });
  },
});

const answering: Middleware = {
  after: async (request) => {
    request.response = await transportable(wireReply(request.response as Reply, headersOf(request)), request.event);
    report(request, request.response.statusCode);
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
    if (response.statusCode === 500) logger.error('The verb failed.', request.error as Error);
    report(request, response.statusCode);
    request.response = response;
  },
};

const allowAnyOrigin = (request: Request): void => {
  const { response } = request;
  if (response) request.response = { ...response, headers: { ...response.headers, ...anyOrigin } };
};
const readableAnywhere: Middleware = { after: allowAnyOrigin, onError: allowAnyOrigin };

function headersOf(request: Request): Record<string, string> {
  const window = request.internal.authentication?.window;
  return {
    'X-Request-Id': request.event.requestContext.requestId,
    'Content-Language': request.internal.language ?? defaultLanguage,
    ...rateHeaders(window ?? { count: 0, resetsAt: Math.ceil(Date.now() / 60_000) * 60 }),
  };
}

function report(request: Request, status: number): void {
  logger.info('call', { status, duration_ms: Date.now() - request.internal.startedAt });
}
