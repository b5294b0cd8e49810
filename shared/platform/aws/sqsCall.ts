import { setTimeout as wait } from 'node:timers/promises';
import { remainingMilliseconds } from '../deadline.ts';
import { connection } from './connection.ts';
import { type Answer, postSigned } from './signedCall.ts';
import { UnansweredRequest } from './unanswered.ts';

const { requestHandler } = connection();

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

async function attempt(operation: string, input: object): Promise<Answer | UnansweredRequest> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
  try {
    return await postSigned(requestHandler, {
      service: 'sqs',
      path: '/',
      headers,
      body: Buffer.from(JSON.stringify(input)),
    });
  } catch (error) {
    if (error instanceof UnansweredRequest) return error;
    throw error;
  }
}
