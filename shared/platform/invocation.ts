import type { Context } from 'aws-lambda';
import { withinInvocation } from './deadline.ts';
import { withLogFields } from './logContext.ts';
import { logger } from './logger.ts';

/**
 * Runs a worker within its time: each of its lines carries the id of the invocation. An error is logged here and a bare
 * one thrown, since Lambda prints what it is thrown, with the items and addresses that an error of the SDK holds.
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
