import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ZodError } from 'zod';
import { closeServer, listenLocally } from '../engines/engine.ts';
import { type ApiOutcome, answerApi, isApiPath, visitorAddress } from './api.ts';
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
import { inboxApi } from './inbox/api.ts';
import { inboxPage } from './inbox/page.ts';
import { createSendLimits } from './limits/sendLimits.ts';
import { trackingHit } from './tracking/hits.ts';

export type { SesFaults } from './faults.ts';

export interface LocalSesOptions {
  /** 0 or none: any free port. Tracked links carry it, so a port that stays lets old messages be clicked. */
  readonly port?: number;
  /** SQLite file, created when missing. */
  readonly databasePath: string;
  /** Hands an event to SNS; called again until it resolves. */
  readonly publish: Publish;
  readonly faults?: Partial<SesFaults>;
  readonly now?: () => number;
}

export interface LocalSes {
  readonly endpoint: string;
  readonly inboxUrl: string;
  stop(): Promise<void>;
}

/** SES v2 on a laptop: real protocol, real limits and events, nothing leaves the machine. Listens on 127.0.0.1. */
export async function startLocalSes(options: LocalSesOptions): Promise<LocalSes> {
  const now = options.now ?? Date.now;
  // Before anything is opened: who comes in vain for the port tries another one, on the same file.
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
  const context = { database, faults, limits, publisher, now, endpoint };
  server.on('request', (request, response) => void answer(context, request, response));
  return {
    endpoint,
    inboxUrl: `${endpoint}/inbox`,
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
    // A caller that left, or a server that is being stopped: there is nobody to answer.
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
