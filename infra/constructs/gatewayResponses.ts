import { ResponseType, type ResponseType as ResponseTypeClass } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorCodes } from '../../shared/contract/errors.ts';

interface GatewayError {
  readonly types: readonly ResponseTypeClass[];
  readonly code: ErrorCode;
  readonly status?: number;
  readonly message?: string;
  readonly details?: object;
  readonly headers?: Record<string, string>;
}

const requestId = { request_id: '$context.requestId' };
const problem = (message: string) => ({ message, details: { issues: [{ path: '', message }] } });

/**
 * What API Gateway answers without asking a function, in the one shape of errors. It cannot choose a language, so these
 * are in English (API Gateway Developer Guide, "Gateway response types").
 */
const gatewayErrors: readonly GatewayError[] = [
  {
    types: [ResponseType.MISSING_AUTHENTICATION_TOKEN, ResponseType.RESOURCE_NOT_FOUND],
    code: 'not_found',
    message: 'There is nothing at this path.',
  },
  {
    types: [ResponseType.REQUEST_TOO_LARGE],
    code: 'validation_error',
    status: 413,
    ...problem(
      'The request body is larger than this service takes: about 4.5 MB (6 MB as an event of Lambda, in base64).',
    ),
  },
  {
    types: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    code: 'rate_limit_exceeded',
    message: 'The service gets too many requests at the moment.',
    details: { retry_after: 1 },
    headers: { 'Retry-After': "'1'" },
  },
  {
    types: [ResponseType.WAF_FILTERED],
    code: 'validation_error',
    status: 403,
    ...problem('A firewall rule of this deployment refused the request.'),
  },
  {
    types: [
      ResponseType.BAD_REQUEST_BODY,
      ResponseType.BAD_REQUEST_PARAMETERS,
      ResponseType.UNSUPPORTED_MEDIA_TYPE,
      ResponseType.ACCESS_DENIED,
      ResponseType.EXPIRED_TOKEN,
      ResponseType.INVALID_API_KEY,
      ResponseType.INVALID_SIGNATURE,
      ResponseType.UNAUTHORIZED,
      ResponseType.DEFAULT_4XX,
    ],
    code: 'validation_error',
    ...problem('The request could not be read.'),
  },
  {
    types: [
      ResponseType.API_CONFIGURATION_ERROR,
      ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
      ResponseType.AUTHORIZER_FAILURE,
      ResponseType.INTEGRATION_FAILURE,
      ResponseType.INTEGRATION_TIMEOUT,
      ResponseType.DEFAULT_5XX,
    ],
    code: 'internal_error',
    details: requestId,
  },
];

/** As `x-amazon-apigateway-gateway-responses` has them, by type. */
export function gatewayResponses(): Record<string, object> {
  const responses = gatewayErrors.flatMap((error) => {
    const statusCode = error.status ?? errorCodes[error.code].status;
    const headers = { 'Cache-Control': "'no-store'", 'X-Content-Type-Options': "'nosniff'", ...error.headers };
    const response = {
      statusCode: String(statusCode),
      responseParameters: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
      ),
      responseTemplates: { 'application/json': JSON.stringify(bodyOf(error, statusCode)) },
    };
    return error.types.map(({ responseType }): [string, object] => [responseType, response]);
  });
  return Object.fromEntries(responses);
}

function bodyOf({ code, message = errorCodes[code].text.en, details = {} }: GatewayError, statusCode: number) {
  return { error: { code, message, details }, statusCode, message, name: code };
}
