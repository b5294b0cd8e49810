import type * as z from 'zod';
import type { Output, Shown } from '../../contract/route.ts';
import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { delivery as deliverySchema, webhook as webhookSchema } from '../../contract/schemas/webhook.ts';
import { attemptsOf, type Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { Language } from '../../language/languages.ts';
import { openWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import { deliveryErrorText } from '../deliveries/deliveryErrors.ts';

/** A webhook as the API shows it, without its secret. */
export function shownWebhook(webhook: Webhook): Shown<z.output<typeof webhookSchema>> {
  return {
    id: webhook.webhookId,
    object: 'webhook',
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

/** The same with its secret, for the calls that create and get a single one. */
export async function shownWebhookWithSecret(webhook: Webhook): Promise<Output<typeof getWebhookRoute>> {
  return { ...shownWebhook(webhook), secret: await openWebhookSecret(webhook.secret, webhook) };
}

/** An entry of the delivery log. */
export function shownDelivery(delivery: Delivery, language: Language): Shown<z.output<typeof deliverySchema>> {
  return {
    id: delivery.deliveryId,
    object: 'webhook_delivery',
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: attemptsOf(delivery),
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error: shownError(delivery, language),
    duration_ms: delivery.durationMilliseconds,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
  };
}

export function shownError(
  { error, responseStatus }: Pick<Delivery, 'error' | 'responseStatus'>,
  language: Language,
): string | null {
  return error === null ? null : deliveryErrorText(error, responseStatus)[language];
}
