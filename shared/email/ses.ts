import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { connection } from '../platform/aws/connection.ts';
import { wasNeverSent } from '../platform/aws/unanswered.ts';
import { config } from '../platform/config.ts';
import { logger } from '../platform/logger.ts';
import { notify } from '../platform/notice.ts';
import type { Mime } from './mimeChunks.ts';
import { streamContent } from './streamedContent.ts';

/** Well before API Gateway's 29 seconds, so that the caller hears what is known. */
const answerMilliseconds = 10_000;

/**
 * One attempt only: the SDK's own retries could send twice, SES has no idempotency token. A connection that rested for a
 * second is not trusted with a message; and as many go out at once as a slow provider makes wait.
 */
export const provider = new SESv2Client({
  maxAttempts: 1,
  ...connection({
    connections: 256,
    idle: 1000,
    waiting: 5000,
    answering: answerMilliseconds,
    reading: answerMilliseconds,
  }),
});

let patient: SESv2Client | undefined;

/** A message in many pieces takes its time to go out, which counts as waiting for the answer; the call ends it all the same. */
function patientProvider(): SESv2Client {
  patient ??= new SESv2Client({
    maxAttempts: 1,
    ...connection({ connections: 8, idle: 1000, waiting: 5000, answering: 20_000, reading: answerMilliseconds }),
  });
  return patient;
}

export interface Envelope {
  /** At most 50 addresses. */
  readonly recipients: readonly string[];
  readonly mime: Mime;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/**
 * What became of a message. `deferred` and `refused` were certainly not taken, and the first may be tried again; anything
 * else may have been taken (`unknown`): only a Send event can tell.
 */
export type SendResult = { readonly kind: 'accepted'; readonly messageId: string } | NotAccepted;

interface NotAccepted {
  readonly kind: 'refused' | 'deferred' | 'unknown';
  readonly providerCode: string;
}

export async function sendEnvelope(envelope: Envelope): Promise<SendResult> {
  try {
    const command = commandOf(envelope);
    const isLarge = envelope.mime.chunks.length > 1;
    const { MessageId } = await (isLarge ? patientProvider() : provider).send(command);
    // SES names what it took: a yes without an id comes from something in between.
    return MessageId ? { kind: 'accepted', messageId: MessageId } : { kind: 'unknown', providerCode: 'NoMessageId' };
  } catch (error) {
    const result = failedCall(error);
    report(result, error as Error);
    return result;
  }
}

function commandOf(envelope: Envelope): SendEmailCommand {
  const [first = new Uint8Array(), ...others] = envelope.mime.chunks;
  const isOnePiece = others.length === 0;
  const command = new SendEmailCommand({
    Destination: { ToAddresses: [...envelope.recipients] },
    Content: { Raw: { Data: isOnePiece ? first : new Uint8Array() } },
    ConfigurationSetName: config('CONFIGURATION_SET'),
    EmailTags: envelope.tags.map(({ name, value }) => ({ Name: name, Value: value })),
    ConfigurationOverrides: {
      Tracking: {
        OpenTrackingEnabled: envelope.tracking.opens ? 'ENABLED' : 'DISABLED',
        ClickTrackingEnabled: envelope.tracking.clicks ? 'ENABLED' : 'DISABLED',
      },
    },
  });
  if (!isOnePiece) streamContent(command, envelope.mime);
  return command;
}

/** SES's words for an account, or a configuration set, that sends nothing until somebody looks into it. */
const pauses = new Set(['AccountSuspendedException', 'SendingPausedException']);

function report({ kind: outcome, providerCode: provider_code }: NotAccepted, error: Error): void {
  const message = 'The provider did not take a message.';
  const fields = { outcome, provider_code, error };
  if (outcome !== 'refused') logger.warn(message, fields);
  else notify(pauses.has(provider_code) ? 'SendingPaused' : 'ProviderRefused', message, fields);
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
