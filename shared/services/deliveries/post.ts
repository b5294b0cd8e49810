import type { AttemptOutcome, DeliveredEvent } from '../../domain/webhook/delivery.ts';
import { isAccepted } from '../../domain/webhook/deliveryDecision.ts';
import { signingSecrets } from '../../domain/webhook/secretRotation.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { signatureHeader, signWebhook } from '../../domain/webhook/webhookSignature.ts';
import { postSafely } from '../../outbound/safeRequest.ts';
import { SafeRequestError } from '../../outbound/safeRequestError.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { openWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import type { DeliveryErrorCode } from './deliveryErrors.ts';

/** For all of an attempt: look-up, connection, sending, the answer's first byte and its last. */
export const attemptSeconds = 15;
/** Of an answer, what the log shows; characters of UTF-8 take up to four bytes. */
const shownCharacters = 1000;

/** What came of one attempt, whose error has a sentence. */
export interface PostOutcome extends AttemptOutcome {
  readonly error: DeliveryErrorCode | null;
}

/** Posts an event to a webhook, signed at `now`. Every failure of the receiver is an outcome, none is thrown. */
export async function postEvent(webhook: Webhook, event: DeliveredEvent, now: Date): Promise<PostOutcome> {
  const secrets = await Promise.all(signingSecrets(webhook, now).map((sealed) => openWebhookSecret(sealed, webhook)));
  try {
    const answer = await postSafely({
      url: webhook.url,
      body: event.body,
      headers: {
        ...eventHeaders(event),
        [signatureHeader]: signWebhook({ secrets, timestampSeconds: epochSeconds(now), body: event.body }),
      },
      timeoutMilliseconds: attemptSeconds * 1000,
      maxResponseBytes: shownCharacters * 4,
      allowLoopback: config('ALLOW_LOOPBACK'),
    });
    const accepted = isAccepted(answer.status);
    const { status, durationMilliseconds } = answer;
    return { accepted, status, body: shown(answer.body), error: accepted ? null : 'status', durationMilliseconds };
  } catch (error) {
    if (!(error instanceof SafeRequestError)) throw error;
    const { status, code, durationMilliseconds } = error;
    return { accepted: false, status, body: null, error: code, durationMilliseconds };
  }
}

/** The headers of an event, the same at each attempt; its signature is made anew. */
export const eventHeaders = ({ eventId, eventType }: Pick<DeliveredEvent, 'eventId' | 'eventType'>) => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Mailroom-Webhooks/1.0',
  'Service-Event-Id': eventId,
  'Service-Event-Type': eventType,
});

/** Whole characters only: half of a surrogate pair is no text. */
function shown(body: string): string {
  return Array.from(body.slice(0, shownCharacters * 2))
    .slice(0, shownCharacters)
    .join('');
}
