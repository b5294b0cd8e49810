import { GetAccountCommand, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { connection, sentInPieces, supervised } from '../platform/aws/clients.ts';
import { config } from '../platform/config.ts';
import { remainingMilliseconds } from '../platform/deadline.ts';
import { wasNeverSent } from '../platform/httpClient.ts';
import { logger, notify } from '../platform/logger.ts';
import { base64Pieces, type LargeMime, type Mime } from './mime.ts';

/** Well below API Gateway's 29 seconds, so that a caller learns what is known after a timeout. */
export const answerMilliseconds = 10_000;

/**
 * A connection that was idle for a second is not used for a message: it may be closed already. The number of connections
 * is that of messages that may wait for a slow SES at once.
 */
export const sesPolicy = {
  connections: 256,
  idle: 1000,
  waiting: 5000,
  answering: answerMilliseconds,
  reading: answerMilliseconds,
};

/** SES by its SDK. One attempt only: SES has no idempotency token, so that a retry could send a message twice. */
export const provider = supervised(new SESv2Client({ maxAttempts: 1, ...connection(sesPolicy) }));

/**
 * The outcome of a message. Certainly not accepted: `refused` for its content, `obstacle` for another reason, `deferred`
 * when it was throttled or never sent. `unknown`: it may have been accepted, and only a Send event can tell.
 */
export type SendResult = { readonly kind: 'accepted'; readonly messageId: string } | NotAccepted;

export interface NotAccepted {
  readonly kind: 'refused' | 'obstacle' | 'deferred' | 'unknown';
  readonly providerCode: string;
}

/**
 * What an error of SES is about. Only an error about the message itself would come again; the others pass by themselves or
 * once an operator has acted.
 */
export type Subject =
  | 'message'
  | 'rate'
  /** SES has stopped sending for the account or the configuration set. */
  | 'pause'
  | 'allowance'
  | 'domain'
  /** Our credentials or our clock, both of which are renewed after such an error. */
  | 'identity'
  /** Permissions or missing resources of this deployment. */
  | 'deployment';

/** The SDK's error for missing credentials. */
const noCredentials = 'CredentialsProviderError';

/**
 * The errors after which a message is certainly not accepted: those of SendEmail
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors), those common to AWS
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html) and their names in other protocols. Faults,
 * timeouts and broken connections are missing on purpose: they prove nothing.
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

/** Undefined for an error that proves nothing. */
export const subjectOf = (providerCode: string): Subject | undefined =>
  Object.hasOwn(subjects, providerCode) ? subjects[providerCode] : undefined;

/** True when SES certainly did not take a message, because of the account's sending rate alone. */
export const isForRate = ({ kind, providerCode }: NotAccepted): boolean =>
  kind === 'deferred' && subjectOf(providerCode) === 'rate';

/** SES throttles by the same error when the day's allowance is used up; only the message tells (SES Developer Guide, "Errors related to the sending quotas"). */
const isForDay = (message: string | undefined): boolean => /daily .*quota/i.test(message ?? '');

/** Classifies an error by whether the message may have been accepted. */
export function failedCall(error: unknown): NotAccepted {
  const { name, code, message, $metadata } = error as {
    name?: string;
    code?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const providerCode = name && name !== 'Error' ? name : (code ?? 'Unknown');
  const status = $metadata?.httpStatusCode;
  if (status === undefined && name === noCredentials) return { kind: 'obstacle', providerCode };
  if (wasNeverSent(error)) return { kind: 'deferred', providerCode: code ?? providerCode };
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  const subject = subjectOf(providerCode);
  if (!isRefusal) return { kind: 'unknown', providerCode };
  return { kind: kindOf(subject === 'rate' && isForDay(message) ? 'allowance' : subject), providerCode };
}

function kindOf(subject: Subject | undefined): NotAccepted['kind'] {
  if (subject === undefined) return 'unknown';
  if (subject === 'rate') return 'deferred';
  return subject === 'message' ? 'refused' : 'obstacle';
}

let largeProvider: SESv2Client | undefined;

/**
 * For large messages, which few processes send. Uploading one counts as waiting for its answer; the call's own deadline
 * still applies.
 */
function clientForLarge(): SESv2Client {
  const policy = { ...sesPolicy, connections: 8, answering: 20_000 };
  largeProvider ??= supervised(new SESv2Client({ maxAttempts: 1, ...connection(policy) }));
  return largeProvider;
}

export interface Envelope {
  /** At most 50 addresses. */
  readonly recipients: readonly string[];
  readonly mime: Mime;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/** Sends one message once: SES has no idempotency token. Only a caller may retry, and only what was not accepted. */
export async function sendEnvelope(envelope: Envelope): Promise<SendResult> {
  try {
    const messageId = await post(envelope);
    // SES gives every accepted message an id: an answer without one comes from a proxy.
    return messageId ? { kind: 'accepted', messageId } : { kind: 'unknown', providerCode: 'NoMessageId' };
  } catch (error) {
    const result = failedCall(error);
    report(result, error as Error);
    return result;
  }
}

/** SendEmail: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
async function post(envelope: Envelope): Promise<string | undefined> {
  const { config: clock } = envelope.mime.isLarge ? clientForLarge() : provider;
  const offset = clock.systemClockOffset;
  const { MessageId } = await attempt(envelope).catch((error: unknown) => {
    const isClockCorrected = Math.abs(clock.systemClockOffset - offset) >= wrongFromMilliseconds;
    const isAtFault = isClockCorrected && failedCall(error).kind === 'obstacle';
    if (isAtFault && remainingMilliseconds() >= answerMilliseconds) return attempt(envelope);
    throw error;
  });
  return typeof MessageId === 'string' ? MessageId : undefined;
}

/**
 * From here on the SDK takes its clock for wrong; AWS refuses signatures that are five minutes off. The refusal corrects
 * the clock, and nothing was accepted: so a second attempt is safe.
 */
const wrongFromMilliseconds = 240_000;

function attempt({ mime, ...envelope }: Envelope) {
  if (!mime.isLarge) return provider.send(new SendEmailCommand(inputOf(envelope, mime.bytes)));
  const command = new SendEmailCommand(inputOf(envelope, noBytes));
  command.middlewareStack.use(sentInPieces((body) => largeBody(body, mime)));
  return clientForLarge().send(command);
}

const inputOf = ({ recipients, tags, tracking }: Omit<Envelope, 'mime'>, Data: Uint8Array): SendEmailCommandInput => ({
  Content: { Raw: { Data } },
  Destination: { ToAddresses: [...recipients] },
  ConfigurationSetName: config('CONFIGURATION_SET'),
  EmailTags: tags.map(({ name, value }) => ({ Name: name, Value: value })),
  ConfigurationOverrides: {
    Tracking: {
      OpenTrackingEnabled: tracking.opens ? 'ENABLED' : 'DISABLED',
      ClickTrackingEnabled: tracking.clicks ? 'ENABLED' : 'DISABLED',
    },
  },
});

const noBytes = new Uint8Array();
const emptyData = '"Data":""';

/** The body of a request without a message, and in its place a large one, which is encoded while it is sent. */
function largeBody(body: Buffer, mime: LargeMime) {
  const place = body.indexOf(emptyData) + emptyData.length - 1;
  const [start, end] = [body.subarray(0, place), body.subarray(place)];
  return {
    length: start.length + Math.ceil(mime.length / 3) * 4 + end.length,
    *pieces() {
      yield start;
      yield* base64Pieces(mime.pieces());
      yield end;
    },
  };
}

function report({ kind: outcome, providerCode: provider_code }: NotAccepted, error: Error): void {
  const message = 'The provider did not accept a message.';
  const fields = { outcome, provider_code, error };
  if (outcome === 'deferred' || outcome === 'unknown') logger.warn(message, fields);
  else notify(subjectOf(provider_code) === 'pause' ? 'SendingPaused' : 'ProviderRefused', message, fields);
}

/** SES's limits for the AWS account in this region, in recipients. */
export interface SendingAccount {
  /** False in the sandbox, where SES sends to verified addresses only. */
  readonly inProduction: boolean;
  readonly sendingEnabled: boolean;
  /** SES's own status: `HEALTHY`, `PROBATION` (under review) or `SHUTDOWN`. */
  readonly enforcement: string;
  readonly perSecond: number;
  /** Null for no limit. */
  readonly perDay: number | null;
  readonly sentInDay: number;
}

/** SES allows one such call a second for the whole account (SES Developer Guide, "Service quotas"). */
export async function readSendingAccount(): Promise<SendingAccount> {
  const answer = await provider.send(new GetAccountCommand({}));
  const { MaxSendRate = 1, Max24HourSend = 200, SentLast24Hours = 0 } = answer.SendQuota ?? {};
  return {
    inProduction: answer.ProductionAccessEnabled ?? false,
    sendingEnabled: answer.SendingEnabled ?? false,
    enforcement: answer.EnforcementStatus ?? 'HEALTHY',
    perSecond: MaxSendRate,
    // -1 stands for no limit (API reference, SendQuota).
    perDay: Max24HourSend === -1 ? null : Max24HourSend,
    sentInDay: SentLast24Hours,
  };
}
