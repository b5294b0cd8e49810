import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { stopwatch } from '../../shared/platform/clock.ts';

/** The second argument of a Lambda handler; its time-out runs from this call. */
export function lambdaContext(functionName: string, timeoutSeconds: number): Context {
  const elapsed = stopwatch();
  const noCallbacks = () => {
    throw new Error('Lambda on Node 24 has no callbacks: return a promise.');
  };
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, timeoutSeconds * 1000 - elapsed()),
    done: noCallbacks,
    fail: noCallbacks,
    succeed: noCallbacks,
  };
}
