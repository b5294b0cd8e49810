import type { Context } from 'aws-lambda';
import { withinInvocation } from './deadline.ts';
import { logger, withLogFields } from './logger.ts';

/**
 * Runs a worker within its time, with the id of the invocation on each log line. An error is logged here, and an empty
 * one is thrown instead: Lambda prints what it is thrown, and errors of the SDK contain items and addresses.
 */
export function invocation<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  return withLogFields({ function_request_id: context.awsRequestId, function: context.functionName }, async () => {
    try {
      return await withinInvocation(context, work);
    } catch (error) {
      logger.error('The worker failed.', error as Error);
      throw new Error(`The worker failed: the log of ${context.awsRequestId} says why.`);
    }
  });
}
