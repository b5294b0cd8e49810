import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { takeSettings } from '../../platform/config.ts';
import { withinInvocation } from '../../platform/deadline.ts';
import { withLogFields } from '../../platform/logContext.ts';
import { logger } from '../../platform/logger.ts';
import { readNothing } from '../../store/workspace/readNothing.ts';

/** A monitor would rather hear that something is slow than wait for it. */
const patienceMilliseconds = 5_000;

/** For monitors: 200 when a function runs and the table answers it, else 503. It costs half a read unit. */
export function health(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  const fields = {
    request_id: event.requestContext.requestId,
    function_request_id: context.awsRequestId,
    page: 'health',
  };
  return withLogFields(fields, async () => {
    try {
      takeSettings(event.stageVariables);
      await withinInvocation(context, readNothing, patienceMilliseconds);
      return answer(200, 'ok');
    } catch (error) {
      logger.error('The table does not answer.', error as Error);
      return answer(503, 'unavailable');
    }
  });
}

function answer(statusCode: number, status: string): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(statusCode === 503 && { 'Retry-After': '10' }),
    },
    body: JSON.stringify({ status }),
  };
}
