/**
 * The format of API Gateway's access log. It has the path of the contract, because the requested path may contain a
 * person's address.
 */
export const accessLog = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  source: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  response_bytes: '$context.responseLength',
  duration_ms: '$context.responseLatency',
  integration_status: '$context.integration.status',
  integration_error: '$context.integration.error',
  gateway_error: '$context.error.responseType',
};
