import { isAccepted } from '../../domain/webhook/deliveryDecision.ts';
import { signatureHeader, signWebhook } from '../../domain/webhook/webhookSignature.ts';
import { postSafely } from '../../outbound/safeRequest.ts';
import { SafeRequestError } from '../../outbound/safeRequestError.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { webhookKey } from '../../store/table/keys.ts';
import type { Webhook } from '../../store/webhook/webhooks.ts';
import { openWebhookSecret } from '../webhooks/webhookSecret.ts';
import type { DeliveryErrorCode } from './deliveryErrors.ts';

/** For all of an attempt: look-up, connection, sending, the answer's first byte and its last. */
export const attemptSeconds = 15;
/** Of an answer, what the log shows; characters of UTF-8 take up to four bytes. */
const shownCharacters = 1000;

/** What came of one attempt. `status` is there even when the rest of the answer never came. */
export interface AttemptOutcome {
  readonly accepted: boolean;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: DeliveryErrorCode | null;
  readonly durationMilliseconds: number;
}

/** Posts an event to a webhook, signed at `now`. Every failure of the receiver is an outcome, none is thrown. */
export async function postEvent(
  webhook: Webhook,
  event: { readonly event_id: string; readonly event_type: string; readonly body: string },
  now: Date,
): Promise<AttemptOutcome> {
  const secrets = await signingSecrets(webhook, now);
  try {
    const answer = await postSafely({
      url: webhook.url,
      body: event.body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Mailroom-Webhooks/1.0',
        [signatureHeader]: signWebhook({ secrets, timestampSeconds: epochSeconds(now), body: event.body }),
        'Service-Event-Id': event.event_id,
        'Service-Event-Type': event.event_type,
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

/** Whole characters only: half of a surrogate pair is no text. */
function shown(body: string): string {
  return Array.from(body.slice(0, shownCharacters * 2))
    .slice(0, shownCharacters)
    .join('');
}

/** The secret, and the one before it for 24 hours after a rotation: receivers may hold either. */
async function signingSecrets(webhook: Webhook, now: Date): Promise<string[]> {
  const key = webhookKey(webhook.workspace_id, webhook.webhook_id);
  const isRotating = (webhook.previous_secret_until ?? '') > now.toISOString();
  const sealed = [webhook.secret, ...(isRotating && webhook.previous_secret ? [webhook.previous_secret] : [])];
  return Promise.all(sealed.map((secret) => openWebhookSecret(secret, key)));
}
