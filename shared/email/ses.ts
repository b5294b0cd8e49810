import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { config } from '../platform/config.ts';

/** Times out well before API Gateway's 29 seconds, so that the caller hears what is known. */
const connectionTimeoutMilliseconds = 2000;
const requestTimeoutMilliseconds = 10_000;

/** One attempt only: the SDK's own retries could send twice, SES has no idempotency token. */
export const provider = new SESv2Client({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: connectionTimeoutMilliseconds,
    requestTimeout: requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  },
});

export interface Envelope {
  /** At most 50 addresses. */
  readonly recipients: readonly string[];
  readonly mime: Uint8Array;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/**
 * What became of a message. `throttled` and `refused` were certainly not taken; `unknown` may have been: the call broke
 * after the connection stood, and only a Send event can tell.
 */
export type SendResult =
  | { readonly kind: 'accepted'; readonly messageId: string }
  | { readonly kind: 'refused' | 'throttled' | 'unknown'; readonly providerCode: string };

export async function sendEnvelope(envelope: Envelope): Promise<SendResult> {
  try {
    const { MessageId } = await provider.send(
      new SendEmailCommand({
        Destination: { ToAddresses: [...envelope.recipients] },
        Content: { Raw: { Data: envelope.mime } },
        ConfigurationSetName: config('CONFIGURATION_SET'),
        EmailTags: envelope.tags.map(({ name, value }) => ({ Name: name, Value: value })),
        ConfigurationOverrides: {
          Tracking: {
            OpenTrackingEnabled: envelope.tracking.opens ? 'ENABLED' : 'DISABLED',
            ClickTrackingEnabled: envelope.tracking.clicks ? 'ENABLED' : 'DISABLED',
          },
        },
      }),
    );
    // An answer without an id is a yes all the same, and an empty mark would be none.
    return { kind: 'accepted', messageId: MessageId || 'unnamed' };
  } catch (error) {
    return resultOf(error);
  }
}

const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const throttles = new Set(['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'ServiceUnavailable']);

/** Sorts an SDK error by the one question that counts: can the message have been taken? */
function resultOf(error: unknown): SendResult {
  const { name, code, message, $metadata } = error as {
    name?: string;
    code?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const providerCode = name && name !== 'Error' ? name : (code ?? 'Unknown');
  const status = $metadata?.httpStatusCode;
  if (code && neverConnected.has(code)) return { kind: 'refused', providerCode: code };
  if (/did not establish a connection|connection timed out.*connect/i.test(message ?? '')) {
    return { kind: 'refused', providerCode: 'ConnectionTimeout' };
  }
  if (throttles.has(providerCode) || status === 429 || status === 503) return { kind: 'throttled', providerCode };
  if (status !== undefined && status >= 400 && status < 500) return { kind: 'refused', providerCode };
  return { kind: 'unknown', providerCode };
}
