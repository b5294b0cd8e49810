import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PassingError, ServiceError } from '../../contract/errors.ts';
import type { Language } from '../../language/languages.ts';
import { textsOf } from '../../language/text.ts';
import { publicUrl } from '../../platform/config.ts';
import { HttpClient, wasNeverSent } from '../../platform/httpClient.ts';
import { logger } from '../../platform/logger.ts';
import type { RestRequest } from './restRequest.ts';

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
  unanswered: {
    en: 'The API did not answer in time: it is unknown whether the call was carried out. If it was `send_email`, repeat exactly the same call: it does not send twice. For any other tool, check its effect first.',
    fr: 'L’API n’a pas répondu à temps : on ne sait pas si l’appel a été exécuté. Si c’était `send_email`, répétez exactement le même appel : il n’envoie pas deux fois. Pour tout autre outil, vérifiez d’abord son effet.',
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
export async function callRest(request: RestRequest, caller: { key: string; language: Language }): Promise<RestAnswer> {
  try {
    return await read(await send(request, caller));
  } catch (error) {
    logger.error('The REST API did not answer.', error as Error);
    if (wasNeverSent(error)) {
      throw new PassingError('unavailable', { text: texts.unreached, retryAfterSeconds: 5, cause: error });
    }
    throw new ServiceError('internal_error', { text: texts.unanswered, cause: error });
  }
}

function send(
  { method, path, headers, body }: RestRequest,
  { key, language }: { key: string; language: Language },
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
      'user-agent': 'mailroom-mcp',
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
