import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { takeSettings } from '../platform/config.ts';
import { withinInvocation } from '../platform/deadline.ts';
import { logger, withLogFields } from '../platform/logger.ts';
import { readNothing } from '../store/health.ts';

const timeoutMilliseconds = 5_000;

/** For monitoring: 200 when the table answers within 5 seconds, else 503. One call consumes half a read unit. */
export function health(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  const fields = {
    request_id: event.requestContext.requestId,
    function_request_id: context.awsRequestId,
    page: 'health',
  };
  return withLogFields(fields, async () => {
    try {
      takeSettings(event.stageVariables);
      await withinInvocation(context, readNothing, timeoutMilliseconds);
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
