import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../contract/errors.ts';
import type { Language } from '../language/languages.ts';
import { textsOf } from '../language/text.ts';
import { attentive } from '../platform/aws/agent.ts';
import { Passage, passages } from '../platform/aws/passage.ts';
import { publicUrl } from '../platform/config.ts';
import { logger } from '../platform/logger.ts';
import type { RestRequest } from './restRequest.ts';

/** What the REST API answered. */
export interface RestAnswer {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, as it came. */
  readonly body: string;
}

const texts = textsOf({
  unreached: {
    en: 'The API could not be reached: nothing was done, and the same call may be made again.',
    fr: 'L’API n’a pas pu être jointe : rien n’a été fait, et le même appel peut être refait.',
  },
  unanswered: {
    en: 'The API did not answer in time: nobody knows whether the call was carried out. Repeat the very same call if it was `send_email`, which then sends nothing twice; after another tool, look first what became of it.',
    fr: 'L’API n’a pas répondu à temps : on ne sait pas si l’appel a été exécuté. Répétez exactement le même appel si c’était `send_email`, qui n’envoie alors rien deux fois ; après un autre outil, regardez d’abord ce qu’il en est.',
  },
});

/** Milliseconds. The API has 29 seconds to answer; beyond the deadline of this call none of them counts. */
const limits = { waiting: 29_000, connecting: 3000, answering: 29_000, reading: 20_000 };
const agentOptions = { keepAlive: true, maxSockets: 50 };
/** A connection that rested longer is not used again: a request that was broken could not be repeated. */
const idleMilliseconds = 4000;
const agents = {
  'http:': attentive(new HttpAgent(agentOptions), idleMilliseconds),
  'https:': attentive(new HttpsAgent(agentOptions), idleMilliseconds),
};

const unzip = promisify(gunzip);

/** Makes the call at the deployment's own public address, with the caller's key. Throws `internal_error` without an answer. */
export async function callRest(request: RestRequest, caller: { key: string; language: Language }): Promise<RestAnswer> {
  const passage = new Passage(limits);
  try {
    return await passages.run(passage, () => exchange(request, caller, passage.signal));
  } catch (error) {
    logger.error('The REST API did not answer.', error as Error);
    throw new ServiceError('internal_error', {
      text: passage.isOut ? texts.unanswered : texts.unreached,
      cause: error,
    });
  } finally {
    passage.end();
  }
}

async function exchange(
  { method, path, headers, body }: RestRequest,
  { key, language }: { key: string; language: Language },
  signal: AbortSignal,
): Promise<RestAnswer> {
  const { protocol, hostname, port, pathname } = new URL(publicUrl());
  const isPlain = protocol === 'http:';
  const outgoing = (isPlain ? httpRequest : httpsRequest)({
    agent: agents[isPlain ? 'http:' : 'https:'],
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
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
    signal,
  });
  const answer = answerTo(outgoing);
  outgoing.end(body);
  return read(await answer);
}

function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Heard to its end: an error after the answer has begun ends the reading of it, and nothing else.
    outgoing.on('error', reject);
  });
}

async function read(answer: IncomingMessage): Promise<RestAnswer> {
  const bytes = Buffer.concat(await answer.toArray());
  const isPacked = answer.headers['content-encoding'] === 'gzip';
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: (isPacked ? await unzip(bytes) : bytes).toString('utf8'),
  };
}
