import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import { config, hasConfig } from '../config.ts';
import { remainingMilliseconds } from '../deadline.ts';
import { connection } from './connection.ts';
import { UnansweredRequest } from './unanswered.ts';

/**
 * Calls of a service of AWS that speaks JSON, signed as the SDK signs. Its client of SQS is 24 kB, and a function that
 * sends mail, which asks for one thing of it now and then, may weigh 500 in all.
 */
const { requestHandler } = connection();

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

let signer: SignatureV4 | undefined;

const retryWaitsMilliseconds = [100, 400];

/**
 * One operation of SQS (`SendMessageBatch`), again when the service was busy or did not answer: for what may be done
 * twice. Throws when it is refused.
 */
export async function callSqs(operation: string, input: object): Promise<Record<string, unknown>> {
  for (let round = 0; ; round += 1) {
    const answer = await attempt(operation, input);
    if (!(answer instanceof Error) && answer.status === 200) return JSON.parse(answer.text);
    const error =
      answer instanceof Error ? answer : new Error(`SQS answered ${operation} with ${answer.status}: ${answer.text}`);
    const pause = retryWaitsMilliseconds[round];
    const isPassing = answer instanceof Error || answer.status >= 500 || answer.status === 429;
    if (!isPassing || pause === undefined || remainingMilliseconds() < pause * 2) throw error;
    await wait(pause * (0.5 + Math.random()));
  }
}

async function attempt(
  operation: string,
  input: object,
): Promise<{ status: number; text: string } | UnansweredRequest> {
  signer ??= new SignatureV4({
    service: 'sqs',
    region: config('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const { protocol, hostname, port, host } = endpoint();
  const body = JSON.stringify(input);
  try {
    const signed = await signer.sign({
      method: 'POST',
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path: '/',
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `AmazonSQS.${operation}`,
      },
      body,
    });
    const { response } = await requestHandler.handle(signed as Parameters<typeof requestHandler.handle>[0]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    if (error instanceof UnansweredRequest) return error;
    throw error;
  }
}

function endpoint(): URL {
  for (const name of ['AWS_ENDPOINT_URL_SQS', 'AWS_ENDPOINT_URL'] as const) {
    const given = hasConfig(name) ? config(name) : '';
    if (given) return new URL(given);
  }
  const region = config('AWS_REGION');
  return new URL(`https://sqs.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
}
