import { crc32 } from 'node:zlib';
import { type Answer, GarbledAnswer } from './answer.ts';
import { askSigned, type SignedRequest } from './signedCall.ts';
import type { Transport } from './transport.ts';

/** An answer did not arrive as it was given. What was asked may be done. */
class DamagedAnswer extends Error {
  override readonly name = 'DamagedAnswer';
  /** To be tried again: the SDK's mark (`isRetryableByTrait` of `@smithy/core`). */
  readonly $retryable = {};
}

interface JsonRequest extends Pick<SignedRequest, 'service' | 'body'> {
  /** The operation, by the prefix of its service: `AmazonSQS.SendMessage`. */
  readonly target: string;
  readonly headers?: SignedRequest['headers'];
  /** The error that an answer tells. */
  readonly errorOf: (answer: Answer) => Error;
}

/** Asks once, by AWS's JSON 1.0 unless the headers say 1.1. Throws what `errorOf` made, `UnansweredRequest`, or what became of the answer. */
export async function postJson(transport: Transport, request: JsonRequest): Promise<object> {
  const { service, target, headers, body, errorOf } = request;
  const answer = await askSigned(transport, {
    service,
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, ...headers },
    body,
  });
  if (!isIntact(answer)) throw new DamagedAnswer(`The answer to ${target} arrived damaged.`);
  if (answer.status !== 200) throw errorOf(answer);
  return outputOf(answer, target);
}

/** DynamoDB sends a checksum with every answer; emulators and other services leave it out. */
function isIntact({ headers, body }: Answer): boolean {
  const told = headers['x-amz-crc32'];
  return told === undefined || Number(told) === crc32(body);
}

/** An answer without an object is never taken for one that found nothing. */
function outputOf({ text }: Answer, target: string): object {
  const output = parsed(text);
  if (typeof output === 'object' && output !== null && !Array.isArray(output)) return output;
  throw new GarbledAnswer(`The answer to ${target} is no object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
