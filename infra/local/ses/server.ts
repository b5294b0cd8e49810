import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ZodError } from 'zod';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import type { ClockCall, ClockReply } from '../clock/clockRoute.ts';
import { closeServer, type Engine, listenLocally } from '../engine/engine.ts';
import type { SesContext } from './context.ts';
import { control } from './control.ts';
import { openDatabase } from './database.ts';
import { SesError } from './errors.ts';
import { type Publish, startPublisher } from './events/publisher.ts';
import { createFaultControl, type SesFaults } from './faults.ts';
import {
  isForeignPage,
  isLocalHost,
  jsonReply,
  notFoundReply,
  parseJson,
  type Reply,
  readBody,
  writeReply,
} from './http.ts';
import { inboxApi } from './inbox/inboxApi.ts';
import { inboxPage } from './inbox/inboxPages.ts';
import { countOfMessages } from './mail/messages.ts';
import { createSendLimits } from './sendLimits.ts';
import { type ApiOutcome, answerApi, isApiPath, visitorAddress } from './sesApi.ts';
import { trackingHit } from './trackingHits.ts';

export type { SesFaults } from './faults.ts';

export interface LocalSesOptions {
  /** 0 or none: any free port. Part of tracked links: a fixed port keeps links of old messages working. */
  readonly port?: number;
  /** SQLite file, created when missing. */
  readonly databasePath: string;
  /** Sends an event to SNS; retried until it resolves. */
  readonly publish: Publish;
  readonly faults?: Partial<SesFaults>;
  readonly now?: () => number;
  /** Answers calls of `/clock`, which stands beside the inbox; none: there is no such path. */
  readonly clock?: (call: ClockCall) => Promise<ClockReply>;
}

export interface LocalSes extends Engine {
  readonly inboxUrl: string;
}

/** A local SES v2 with SES's protocol, limits and events; nothing leaves the machine. Listens on 127.0.0.1. */
export async function startLocalSes(options: LocalSesOptions): Promise<LocalSes> {
  const now = options.now ?? nowMilliseconds;
  // Before the database is opened: when the port is taken, the caller retries with another one on the same file.
  const server = createServer();
  const endpoint = await listenLocally(server, options.port);
  try {
    return serve(server, endpoint, options, now);
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

function serve(server: Server, endpoint: string, options: LocalSesOptions, now: () => number): LocalSes {
  const database = openDatabase(options.databasePath);
  const faults = createFaultControl(options.faults ?? {});
  const limits = createSendLimits(database, faults, now);
  const publisher = startPublisher(database, options.publish, faults, now);
  const context = { database, faults, limits, publisher, now, endpoint, clock: options.clock };
  server.on('request', (request, response) => void answer(context, request, response));
  return {
    endpoint,
    inboxUrl: `${endpoint}/inbox`,
    clocked: {
      pending: async () => {
        const { isBusy, due } = publisher.pending();
        return {
          busy: isBusy ? ['events of SES'] : [],
          due: due.map((at) => ({ at, kind: 'event of SES' })),
          done: { emails: countOfMessages(database) },
        };
      },
      look: async () => publisher.look(),
    },
    stop: async () => {
      await Promise.all([closeServer(server), publisher.stop()]);
      database.close();
    },
  };
}

async function answer(context: SesContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const outcome = await route(context, request);
    if (outcome === 'hang') return;
    if (outcome === 'drop') request.socket.destroy();
    else writeReply(response, outcome);
  } catch (error) {
    // Without a connection there is no answer: the caller left, or the server stops.
    if (!request.socket.destroyed) writeReply(response, failure(error));
  }
}

function route(context: SesContext, request: IncomingMessage): Promise<ApiOutcome> {
  const url = new URL(request.url ?? '/', context.endpoint);
  return isApiPath(url.pathname) && !isForeignPage(request)
    ? answerApi(context, request, url.pathname)
    : answerLocally(context, request, url);
}

/** Everything that is not SES's own API: tracked pixels and links, the control, the inbox. */
async function answerLocally(context: SesContext, request: IncomingMessage, url: URL): Promise<Reply> {
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const visitor = { ipAddress: visitorAddress(request), userAgent: request.headers['user-agent'] ?? '' };
  const hit = trackingHit(context, method, url.pathname, visitor);
  if (hit) return hit;
  if (isForeignPage(request) || !isLocalHost(request)) {
    return jsonReply(403, { message: 'Only requests from this machine are answered.' });
  }
  if (url.pathname === '/clock' && context.clock) {
    const body = ((await readBody(request)) ?? Buffer.alloc(0)).toString('utf8');
    const { status, value } = await context.clock({ method, body });
    return jsonReply(status, value);
  }
  if (url.pathname.startsWith('/_control/')) {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    return control(context, method, url.pathname, parseJson(body)) ?? notFoundReply();
  }
  const language = request.headers['accept-language'] ?? '';
  return (await inboxApi(context, method, url)) ?? (await inboxPage(context, method, url, language)) ?? notFoundReply();
}

function failure(error: unknown): Reply {
  if (error instanceof ZodError) return jsonReply(400, { message: 'The body is not valid.', issues: error.issues });
  if (error instanceof SyntaxError || error instanceof URIError)
    return jsonReply(400, { message: 'Malformed request.' });
  if (error instanceof SesError) return jsonReply(error.status, { message: error.message });
  console.error('Local SES:', error);
  return jsonReply(500, { message: 'The local SES failed.' });
}
