import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type GatewayError, gatewayBody, gatewayErrors, gatewayHeaders } from '../../gatewayErrors.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What the function answers, or what the gateway says of one that broke or took longer than it may. */
export async function invoke(
  handler: Handler,
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<APIGatewayProxyResult | GatewayError> {
  const { promise: tooLate, resolve } = Promise.withResolvers<GatewayError>();
  const timer = setTimeout(() => resolve(gatewayErrors.failed), context.getRemainingTimeInMillis());
  try {
    return await Promise.race([handler(event, context), tooLate]);
  } catch (error) {
    console.error(error);
    return gatewayErrors.failed;
  } finally {
    clearTimeout(timer);
  }
}

/** An answer of the gateway's own, as the deployed API gives it (infra/constructs/gatewayResponses.ts). */
export function ownAnswer(error: GatewayError, requestId: string, requestsPerMinute: number): APIGatewayProxyResult {
  return {
    statusCode: error.status,
    headers: { 'Content-Type': 'application/json', ...gatewayHeaders(error, requestsPerMinute) },
    body: JSON.stringify(gatewayBody(error, requestId)),
  };
}
