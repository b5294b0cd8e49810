import { createHash, createHmac } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import { config, hasConfig } from '../config.ts';
import { type BodyInPieces, bodyStream, hashOf } from './bodyInPieces.ts';
import type { Transport } from './transport.ts';

/**
 * Requests to services of AWS that speak JSON, signed as the SDK signs, over its own connections. The SDK's clients of SQS
 * and SES are 24 kB and 60, and a function that sends mail, which asks for one thing of each, may weigh 500 in all.
 */
const services = {
  sqs: { host: 'sqs', variable: 'AWS_ENDPOINT_URL_SQS' },
  ses: { host: 'email', variable: 'AWS_ENDPOINT_URL_SESV2' },
} as const;

export interface SignedRequest {
  readonly service: keyof typeof services;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | BodyInPieces;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Posts a request once. Throws `UnansweredRequest`, or what broke while the answer was read. */
export async function postSigned(transport: Transport, { service, path, ...request }: SignedRequest): Promise<Answer> {
  const { protocol, hostname, port, host } = endpointOf(service);
  const isWhole = request.body instanceof Uint8Array;
  const signed = await signerOf(service).sign({
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
  });
  const body = request.body instanceof Uint8Array ? request.body : bodyStream(request.body);
  const { response } = await transport.handle({ ...signed, body } as Parameters<Transport['handle']>[0]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}

const signers = new Map<string, SignatureV4>();

function signerOf(service: keyof typeof services): SignatureV4 {
  const known = signers.get(service);
  if (known) return known;
  const signer = new SignatureV4({
    service,
    region: config('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  signers.set(service, signer);
  return signer;
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array | string => {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** SHA-256, or its HMAC, in the form that the signer asks for. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function endpointOf(service: keyof typeof services): URL {
  const { host, variable } = services[service];
  for (const name of [variable, 'AWS_ENDPOINT_URL'] as const) {
    const given = hasConfig(name) ? config(name) : '';
    if (given) return new URL(given);
  }
  const region = config('AWS_REGION');
  return new URL(`https://${host}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
}
