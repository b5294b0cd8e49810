import { wasNeverSent } from '../platform/aws/unanswered.ts';

/** Well before API Gateway's 29 seconds, so that the caller hears what is known. */
export const answerMilliseconds = 10_000;

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
 * What became of a message: `refused` for what it is, `obstacle` when something else stood in its way for now, `deferred`
 * when there was too much at once or it never left. These were certainly not taken; anything else may have been
 * (`unknown`): only a Send event can tell.
 */
export type SendResult = { readonly kind: 'accepted'; readonly messageId: string } | NotAccepted;

export interface NotAccepted {
  readonly kind: 'refused' | 'obstacle' | 'deferred' | 'unknown';
  readonly providerCode: string;
}

/**
 * What an error of SES speaks of. Only of a message itself would SES say the same again; all else passes by itself, or
 * when somebody has seen to it.
 */
export type Subject =
  | 'message'
  | 'rate'
  /** SES sends nothing for the account or the configuration set until somebody looks into it. */
  | 'pause'
  | 'allowance'
  | 'domain'
  /** Our credentials or our clock: found anew, and set right by the refusal. */
  | 'identity'
  /** What this deployment may do, and has. */
  | 'deployment';

/** The SDK's own word that it had nothing to sign a request with. */
const noCredentials = 'CredentialsProviderError';

/**
 * The errors by which SES says that it did not take a message. Those of its own:
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors
 * those common to all of AWS: https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 * and the names that these have in other protocols. Not among them are those that speak of a fault, a time-out or a broken
 * connection (`InternalFailure`, `ServiceUnavailable`, `RequestTimeoutException`, `RequestAbortedException`).
 */
export const subjects: Readonly<Record<string, Subject>> = {
  BadRequestException: 'message',
  MessageRejected: 'message',
  RequestEntityTooLargeException: 'message',
  SerializationException: 'message',
  ValidationError: 'message',
  ValidationException: 'message',

  Throttling: 'rate',
  ThrottlingException: 'rate',
  TooManyRequestsException: 'rate',

  AccountSuspendedException: 'pause',
  SendingPausedException: 'pause',
  LimitExceededException: 'allowance',
  MailFromDomainNotVerifiedException: 'domain',

  ExpiredToken: 'identity',
  ExpiredTokenException: 'identity',
  InvalidClientTokenId: 'identity',
  InvalidSignatureException: 'identity',
  [noCredentials]: 'identity',
  RequestExpired: 'identity',
  SignatureDoesNotMatch: 'identity',
  UnrecognizedClientException: 'identity',

  AccessDenied: 'deployment',
  AccessDeniedException: 'deployment',
  IncompleteSignature: 'deployment',
  MalformedHttpRequestException: 'deployment',
  MissingAuthenticationToken: 'deployment',
  MissingAuthenticationTokenException: 'deployment',
  NotAuthorized: 'deployment',
  NotFoundException: 'deployment',
  OptInRequired: 'deployment',
  UnknownOperationException: 'deployment',
};

/** Undefined of what SES has said nothing certain by. */
export const subjectOf = (providerCode: string): Subject | undefined =>
  Object.hasOwn(subjects, providerCode) ? subjects[providerCode] : undefined;

/** Sorts an error by the one question that counts: can the message have been taken? */
export function failedCall(error: unknown): NotAccepted {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const providerCode = name && name !== 'Error' ? name : (code ?? 'Unknown');
  const status = $metadata?.httpStatusCode;
  if (status === undefined && name === noCredentials) return { kind: 'obstacle', providerCode };
  if (wasNeverSent(error)) return { kind: 'deferred', providerCode: code ?? providerCode };
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  return { kind: isRefusal ? kindOf(subjectOf(providerCode)) : 'unknown', providerCode };
}

function kindOf(subject: Subject | undefined): NotAccepted['kind'] {
  if (subject === undefined) return 'unknown';
  if (subject === 'rate') return 'deferred';
  return subject === 'message' ? 'refused' : 'obstacle';
}
