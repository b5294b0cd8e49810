import type { Readable } from 'node:stream';
import type { SignatureV4 } from '@smithy/signature-v4';
import { config, hasConfig } from '../config.ts';
import { type BodyInPieces, bodyStream, hashOf } from './bodyInPieces.ts';
import { domainOf } from './domain.ts';
import { type ServerClock, setRight } from './serverClock.ts';
import { newSigner } from './signing.ts';
import type { Transport } from './transport.ts';

/**
 * Requests to services of AWS that speak JSON, signed as the SDK signs, over its own connections. The SDK's clients do
 * more than is asked of them here: see decision 11 for what they weigh and what they cost.
 */
const services = {
  dynamodb: { host: 'dynamodb', variable: 'AWS_ENDPOINT_URL_DYNAMODB' },
  sqs: { host: 'sqs', variable: 'AWS_ENDPOINT_URL_SQS' },
  ses: { host: 'email', variable: 'AWS_ENDPOINT_URL_SESV2' },
} as const;
type Service = keyof typeof services;

export interface SignedRequest {
  readonly service: Service;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | BodyInPieces;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** True when the request was refused and signed by a clock that has been set right since. */
  readonly isClockSetRight: boolean;
}

/** Posts a request once. Throws `UnansweredRequest`, or what broke while the answer was read. */
export async function postSigned(transport: Transport, { service, path, ...request }: SignedRequest): Promise<Answer> {
  const { protocol, hostname, port, host } = endpointOf(service);
  const { signer, clock } = signingOf(service);
  const signedAt = Date.now();
  const signingDate = new Date(signedAt + clock.ahead);
  const isWhole = request.body instanceof Uint8Array;
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path,
      headers: {
        host,
        'content-length': String(request.body.length),
        ...request.headers,
        ...(request.body instanceof Uint8Array ? {} : { 'x-amz-content-sha256': hashOf(request.body) }),
      },
      ...(isWhole && { body: request.body }),
    },
    { signingDate },
  );
  const body = request.body instanceof Uint8Array ? request.body : bodyStream(request.body);
  const { response } = await transport.handle({ ...signed, body } as Parameters<Transport['handle']>[0]);
  const { statusCode: status, headers } = response;
  const answer = await collected(response.body as Readable);
  const isRefused = status >= 400 && status < 500;
  const isClockSetRight = isRefused && setRight(clock, { signedAt, signingDate, headers });
  return { status, headers, body: answer, text: answer.toString(), isClockSetRight };
}

const collected = (stream: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .once('error', reject);
  });

interface Signing {
  readonly signer: SignatureV4;
  readonly clock: ServerClock;
}

const signings = new Map<Service, Signing>();

function signingOf(service: Service): Signing {
  const signing = signings.get(service) ?? { signer: newSigner(service), clock: { ahead: 0 } };
  signings.set(service, signing);
  return signing;
}

function endpointOf(service: Service): URL {
  const { host, variable } = services[service];
  for (const name of [variable, 'AWS_ENDPOINT_URL'] as const) {
    const given = hasConfig(name) ? config(name) : '';
    if (given) return new URL(given);
  }
  const region = config('AWS_REGION');
  return new URL(`https://${host}.${region}.${domainOf(region)}`);
}
