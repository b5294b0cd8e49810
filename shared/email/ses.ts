import { wasNeverSent } from '../platform/aws/unanswered.ts';

/** Well before API Gateway's 29 seconds, so that the caller hears what is known. */
const answerMilliseconds = 10_000;

/**
 * A connection that rested for a second is not trusted with a message; and as many go out at once as a slow provider
 * makes wait.
 */
export const sesPolicy = {
  connections: 256,
  idle: 1000,
  waiting: 5000,
  answering: answerMilliseconds,
  reading: answerMilliseconds,
};

/**
 * What became of a message. `deferred` and `refused` were certainly not taken, and the first may be tried again; anything
 * else may have been taken (`unknown`): only a Send event can tell.
 */
export type SendResult = { readonly kind: 'accepted'; readonly messageId: string } | NotAccepted;

export interface NotAccepted {
  readonly kind: 'refused' | 'deferred' | 'unknown';
  readonly providerCode: string;
}

/** Too much at once: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html and CommonErrors.html there. */
const throttles = new Set(['TooManyRequestsException', 'ThrottlingException', 'Throttling']);

/**
 * The errors by which SES says that it did not take a message, from the same two pages. Not among them are those that
 * speak of a fault or a time-out of its own (`InternalFailure`, `ServiceUnavailable`, `RequestTimeoutException`).
 */
const refusals = new Set([
  'AccountSuspendedException',
  'BadRequestException',
  'LimitExceededException',
  'MailFromDomainNotVerifiedException',
  'MessageRejected',
  'NotFoundException',
  'SendingPausedException',
  'AccessDenied',
  'AccessDeniedException',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MalformedHttpRequestException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'NotAuthorized',
  'OptInRequired',
  'RequestEntityTooLargeException',
  'RequestExpired',
  'SerializationException',
  'SignatureDoesNotMatch',
  'UnknownOperationException',
  'UnrecognizedClientException',
  'ValidationError',
  'ValidationException',
]);

/** The SDK's own word that it had nothing to sign a request with. */
const noCredentials = 'CredentialsProviderError';

/** Sorts an error by the one question that counts: can the message have been taken? */
export function failedCall(error: unknown): NotAccepted {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (wasNeverSent(error)) return { kind: 'deferred', providerCode: code ?? name ?? 'Unknown' };
  const providerCode = name && name !== 'Error' ? name : (code ?? 'Unknown');
  if (name === noCredentials) return { kind: 'refused', providerCode };
  const status = $metadata?.httpStatusCode ?? 0;
  if (status < 400 || status >= 500) return { kind: 'unknown', providerCode };
  if (throttles.has(providerCode)) return { kind: 'deferred', providerCode };
  return { kind: refusals.has(providerCode) ? 'refused' : 'unknown', providerCode };
}
