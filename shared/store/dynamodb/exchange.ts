import { crc32 } from 'node:zlib';
import { type Answer, postSigned } from '../../platform/aws/signedCall.ts';
import type { Transport } from '../../platform/aws/transport.ts';
import { errorOf } from './errors.ts';

/** An answer did not arrive as DynamoDB gave it. What was asked may be done. */
class DamagedAnswer extends Error {
  override readonly name = 'DamagedAnswer';
  /** To be tried again: the SDK's mark (`isRetryableByTrait` of `@smithy/core`). */
  readonly $retryable = {};
}

/** An answer of DynamoDB's that is none. */
class GarbledAnswer extends Error {
  override readonly name = 'GarbledAnswer';
}

/** Asks once. Throws a `DynamoDbError`, `UnansweredRequest`, or what became of the answer. */
export async function exchange(transport: Transport, operation: string, body: Uint8Array): Promise<object> {
  const answer = await postSigned(transport, {
    service: 'dynamodb',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body,
  });
  if (!isIntact(answer)) throw new DamagedAnswer(`DynamoDB's answer to ${operation} arrived damaged.`);
  if (answer.status !== 200) throw errorOf(answer);
  return outputOf(answer, operation);
}

/** DynamoDB sends a checksum with every answer; emulators leave it out. */
function isIntact({ headers, body }: Answer): boolean {
  const told = headers['x-amz-crc32'];
  return told === undefined || Number(told) === crc32(body);
}

/** An answer without an object is never taken for one that found nothing. */
function outputOf({ text }: Answer, operation: string): object {
  const output = parsed(text);
  if (typeof output === 'object' && output !== null && !Array.isArray(output)) return output;
  throw new GarbledAnswer(`DynamoDB's answer to ${operation} is no object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
