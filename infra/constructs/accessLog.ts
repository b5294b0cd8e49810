/** A line of API Gateway's access log. The path as it is in the contract, never as it was called: that one holds people's addresses. */
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
