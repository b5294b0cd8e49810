import { ResponseType, type ResponseType as ResponseTypeClass } from 'aws-cdk-lib/aws-apigateway';
import {
  deployedBodyMegabytes,
  type GatewayError,
  gatewayBody,
  gatewayErrors,
  gatewayHeaders,
  tooLarge,
} from '../gatewayErrors.ts';

/** All types of gateway responses (API Gateway Developer Guide, "Gateway response types"). */
const responses: readonly { readonly types: readonly ResponseTypeClass[]; readonly error: GatewayError }[] = [
  {
    types: [ResponseType.MISSING_AUTHENTICATION_TOKEN, ResponseType.RESOURCE_NOT_FOUND],
    error: gatewayErrors.unknownPath,
  },
  { types: [ResponseType.REQUEST_TOO_LARGE], error: tooLarge(deployedBodyMegabytes) },
  { types: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED], error: gatewayErrors.throttled },
  { types: [ResponseType.WAF_FILTERED], error: gatewayErrors.filtered },
  {
    types: [
      ResponseType.UNAUTHORIZED,
      ResponseType.INVALID_API_KEY,
      ResponseType.INVALID_SIGNATURE,
      ResponseType.EXPIRED_TOKEN,
    ],
    error: gatewayErrors.unauthorised,
  },
  {
    types: [
      ResponseType.ACCESS_DENIED,
      ResponseType.BAD_REQUEST_BODY,
      ResponseType.BAD_REQUEST_PARAMETERS,
      ResponseType.UNSUPPORTED_MEDIA_TYPE,
      ResponseType.DEFAULT_4XX,
    ],
    error: gatewayErrors.unreadable,
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
    error: gatewayErrors.failed,
  },
];

/** Each type with its status, headers and template, in the form of `x-amazon-apigateway-gateway-responses`. */
export function gatewayResponses(requestsPerMinute: number): Record<string, object> {
  const byType = responses.flatMap(({ types, error }) => {
    // Single quotes mark a constant: API Gateway reads anything else as a parameter of the request.
    const headers = Object.entries(gatewayHeaders(error, requestsPerMinute)).map(([name, value]) => [
      `gatewayresponse.header.${name}`,
      `'${value}'`,
    ]);
    const response = {
      statusCode: String(error.status),
      responseParameters: Object.fromEntries(headers),
      responseTemplates: { 'application/json': JSON.stringify(gatewayBody(error, '$context.requestId')) },
    };
    return types.map(({ responseType }): [string, object] => [responseType, response]);
  });
  return Object.fromEntries(byType);
}
