import { type AttemptOutcome, type DeliveredEvent, isAccepted } from '../../../domain/webhook/delivery.ts';
import {
  signatureHeader,
  signingSecrets,
  signStandard,
  signWebhook,
  standardHeaders,
} from '../../../domain/webhook/signature.ts';
import { isFailingTooLong, type Webhook } from '../../../domain/webhook/webhook.ts';
import { postSafely } from '../../../outbound/safeRequest.ts';
import { SafeRequestError } from '../../../outbound/safeRequestError.ts';
import { addSeconds, epochSeconds, machineTime } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { openWebhookSecret } from '../../../store/webhook/webhookSecret.ts';
import { clearFailing, disableAsFailing, markFailing, markSlow } from '../../../store/webhook/webhooks.ts';
import type { DeliveryErrorCode } from './deliveryErrors.ts';

/** Timeout of a whole attempt, from the DNS lookup to the last byte of the answer. */
export const attemptSeconds = 15;
/** The part of a response that is logged. A character takes up to four bytes of UTF-8. */
const keptCharacters = 1000;

export interface PostOutcome extends AttemptOutcome {
  readonly error: DeliveryErrorCode | null;
}

/** Posts an event to a webhook, signed at `now`. Failures of the receiver are returned, not thrown. */
export async function postEvent(webhook: Webhook, event: DeliveredEvent, now: Date): Promise<PostOutcome> {
  const secrets = await Promise.all(signingSecrets(webhook, now).map((sealed) => openWebhookSecret(sealed, webhook)));
  const signed = { secrets, timestampSeconds: epochSeconds(machineTime(now)), body: event.body };
  try {
    const answer = await postSafely({
      url: webhook.url,
      body: event.body,
      headers: {
        ...eventHeaders(event),
        [signatureHeader]: signWebhook(signed),
        [standardHeaders.timestamp]: String(signed.timestampSeconds),
        [standardHeaders.signature]: signStandard({ ...signed, id: event.eventId }),
      },
      timeoutMilliseconds: attemptSeconds * 1000,
      maxResponseBytes: keptCharacters * 4,
      allowLoopback: config('ALLOW_LOOPBACK'),
    });
    const accepted = isAccepted(answer.status);
    const { status, durationMilliseconds } = answer;
    return { accepted, status, body: kept(answer.body), error: accepted ? null : 'status', durationMilliseconds };
  } catch (error) {
    if (!(error instanceof SafeRequestError)) throw error;
    const { status, code, durationMilliseconds } = error;
    return { accepted: false, status, body: null, error: code, durationMilliseconds };
  }
}

/** The same at each attempt; only the time and the signatures change. */
export const eventHeaders = ({ eventId, eventType }: Pick<DeliveredEvent, 'eventId' | 'eventType'>) => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Mailroom-Webhooks/1.0',
  'Service-Event-Id': eventId,
  'Service-Event-Type': eventType,
  [standardHeaders.id]: eventId,
});

/** Cuts at a whole character: half of a surrogate pair cannot be stored. */
function kept(body: string): string {
  return Array.from(body.slice(0, keptCharacters * 2))
    .slice(0, keptCharacters)
    .join('');
}

/** An endpoint that has not answered after this time counts as slow. */
export const slowAfterSeconds = 2;
/** How long it counts as slow. */
const slowSeconds = 60;

/** Marks an endpoint as slow: attempts of all workers then need a slot, so that it cannot occupy them all. */
export async function noteSlow(webhook: Webhook, now: Date): Promise<void> {
  const isFresh = webhook.slowUntil !== null && webhook.slowUntil > addSeconds(now, slowSeconds / 2);
  if (!isFresh) await markSlow(webhook, addSeconds(now, slowSeconds));
}

/**
 * Records since when an endpoint has been failing: one write for the first failed attempt, a test or a replay too, and
 * one for the next that is accepted. An endpoint that has failed for three days is disabled when a delivery is given up.
 */
export async function noteOutcome(
  webhook: Webhook,
  { accepted, isGivenUp = false }: { readonly accepted: boolean; readonly isGivenUp?: boolean },
  now: Date,
): Promise<void> {
  if (accepted) return webhook.failingSince ? clearFailing(webhook) : undefined;
  if (!webhook.failingSince) await markFailing(webhook, now);
  else if (isGivenUp && isFailingTooLong(webhook, now)) await disable(webhook, now);
}

async function disable(webhook: Webhook, now: Date): Promise<void> {
  if (!(await disableAsFailing(webhook, now))) return;
  logger.warn('An endpoint that failed for days was disabled.', {
    workspace_id: webhook.workspaceId,
    webhook_id: webhook.webhookId,
    failing_since: webhook.failingSince?.toISOString(),
  });
}
