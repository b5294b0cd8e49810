import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { config, hasConfig } from '../config.ts';
import { type Answer, detailsOf, shapeOf } from './answer.ts';
import { type BodyInPieces, bodyStream, hashOf } from './bodyInPieces.ts';
import { domainOf } from './domain.ts';
import { ConnectionClosed } from './passage.ts';
import { type Credentials, credentialErrors, credentials, findOthers } from './signing/credentials.ts';
import { setRight, signingDateAt } from './signing/serverClock.ts';
import { signedHeaders } from './signing/signature.ts';
import type { Transport } from './transport.ts';
import { UnansweredRequest } from './unanswered.ts';

/**
 * Requests to services of AWS that speak JSON, signed as the SDK signs, over its own connections. The SDK's clients do
 * more than is asked of them here: see decision 11 for what they weigh and what they cost.
 */
const services = {
  dynamodb: { host: 'dynamodb', variable: 'AWS_ENDPOINT_URL_DYNAMODB' },
  scheduler: { host: 'scheduler', variable: 'AWS_ENDPOINT_URL_SCHEDULER' },
  sqs: { host: 'sqs', variable: 'AWS_ENDPOINT_URL_SQS' },
  ses: { host: 'email', variable: 'AWS_ENDPOINT_URL_SESV2' },
  secretsmanager: { host: 'secretsmanager', variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER' },
} as const;
type Service = keyof typeof services;

export interface SignedRequest {
  readonly service: Service;
  /** `POST` unless it is said. */
  readonly method?: 'POST' | 'DELETE';
  /** Nothing in it needs escaping, nor in the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | BodyInPieces;
}

/** Makes a request once. Throws `UnansweredRequest`, or what broke while the answer was read. */
export async function askSigned(transport: Transport, { service, ...request }: SignedRequest): Promise<Answer> {
  const { method = 'POST', query = {} } = request;
  const { protocol, hostname, port, host, base } = endpointOf(service);
  const path = base + request.path;
  const found = await credentials().catch((reason: unknown) => {
    throw new UnansweredRequest(reason, true);
  });
  const signedAt = Date.now();
  const signingDate = signingDateAt(signedAt);
  const signatory = { service, region: config('AWS_REGION'), credentials: found, date: signingDate };
  const headers = signedHeaders(
    {
      method,
      path,
      query,
      headers: {
        host,
        ...(request.body.length > 0 && { 'content-length': String(request.body.length) }),
        ...request.headers,
      },
      bodyHash: request.body instanceof Uint8Array ? hash('sha256', request.body) : hashOf(request.body),
    },
    signatory,
  );
  const body = request.body instanceof Uint8Array ? request.body : bodyStream(request.body);
  const { response } = await transport.handle({
    method,
    protocol,
    hostname,
    ...(port && { port: Number(port) }),
    path,
    query,
    headers,
    body,
  } as Parameters<Transport['handle']>[0]);
  const { statusCode: status } = response;
  const answer = await collected(response.body as Readable);
  const told = { status, headers: response.headers, body: answer, text: answer.toString() };
  const isRefused = status >= 400 && status < 500;
  const isClockSetRight = isRefused && setRight({ signedAt, signingDate, headers: response.headers });
  return { ...told, isSignerPutRight: isClockSetRight || (isRefused && (await areReplaced(found, told))) };
}

/** True when an answer refuses the credentials of its request, and there are others by now. */
async function areReplaced(used: Credentials, answer: Pick<Answer, 'headers' | 'text'>): Promise<boolean> {
  return credentialErrors.has(shapeOf(detailsOf(answer.text), answer) ?? '') && (await findOthers(used));
}

/** Reads an answer to its end. One of which nothing will come any more is an error, however it went. */
const collected = (stream: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    if (stream.destroyed || stream.readableEnded) reject(new ConnectionClosed());
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .once('error', reject)
      .once('close', () => stream.readableEnded || reject(new ConnectionClosed()));
  });

interface Endpoint extends Pick<URL, 'protocol' | 'hostname' | 'port' | 'host'> {
  /** What comes before the path of each request, without a slash at its end. */
  readonly base: string;
}

function endpointOf(service: Service): Endpoint {
  const { host, variable } = services[service];
  for (const name of [variable, 'AWS_ENDPOINT_URL'] as const) {
    const given = hasConfig(name) ? config(name) : '';
    if (given) return parsed(given);
  }
  const region = config('AWS_REGION');
  return parsed(`https://${host}.${region}.${domainOf(region)}`);
}

const endpoints = new Map<string, Endpoint>();

/** There are as many as services. */
function parsed(text: string): Endpoint {
  const known = endpoints.get(text);
  if (known) return known;
  const { protocol, hostname, port, host, pathname } = new URL(text);
  const endpoint = { protocol, hostname, port, host, base: pathname.replace(/\/$/, '') };
  endpoints.set(text, endpoint);
  return endpoint;
}
