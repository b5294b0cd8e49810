import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PassingError, ServiceError } from '../contract/errors.ts';
import type { Language } from '../language/languages.ts';
import { type Text, textsOf } from '../language/text.ts';
import { publicUrl } from '../platform/config.ts';
import { HttpClient, wasNeverSent } from '../platform/httpClient.ts';
import { logger } from '../platform/logger.ts';

/** A call of the REST API without its key and its language. */
export interface RestRequest {
  readonly method: string;
  /** With its query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Who has a call of the REST API made, with which key. */
export interface RestCaller {
  readonly key: string;
  readonly language: Language;
  /** For the header `User-Agent`. */
  readonly agent: string;
  /** What the caller is told when no answer arrived and the call may have been carried out. */
  readonly unanswered: Text;
}

export interface RestAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

const texts = textsOf({
  unreached: {
    en: 'The API could not be reached. Nothing was done: you can repeat the call.',
    fr: 'L’API n’a pas pu être jointe. Rien n’a été fait : vous pouvez répéter l’appel.',
  },
});

/** Milliseconds. API Gateway gives a function 29 s; the deadline of the invocation also applies. Nothing is repeated. */
const http = new HttpClient({
  connections: 50,
  idle: 4000,
  waiting: 29_000,
  connecting: 3000,
  answering: 29_000,
  reading: 20_000,
});

const unzip = promisify(gunzip);

/** Calls the deployment's own public address with the caller's key. Throws `internal_error` when no answer arrives: one that passes when nothing was sent. */
export async function callRest(request: RestRequest, caller: RestCaller): Promise<RestAnswer> {
  try {
    return await read(await send(request, caller));
  } catch (error) {
    logger.error('The REST API did not answer.', error as Error);
    if (wasNeverSent(error)) {
      throw new PassingError('unavailable', { text: texts.unreached, retryAfterSeconds: 5, cause: error });
    }
    throw new ServiceError('internal_error', { text: caller.unanswered, cause: error });
  }
}

function send(
  { method, path, headers, body }: RestRequest,
  { key, language, agent }: RestCaller,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, pathname } = new URL(publicUrl());
  return http.send({
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      'accept-language': language,
      'accept-encoding': 'gzip',
      'user-agent': agent,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    },
    body,
  });
}

async function read(answer: IncomingMessage): Promise<RestAnswer> {
  const bytes = await buffer(answer);
  const isPacked = answer.headers['content-encoding'] === 'gzip';
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: (isPacked ? await unzip(bytes) : bytes).toString('utf8'),
  };
}
