import type * as z from 'zod';
import type { Output, Shown } from '../../contract/route.ts';
import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { delivery as deliverySchema, webhook as webhookSchema } from '../../contract/schemas/webhook.ts';
import type { Language } from '../../language/languages.ts';
import { webhookKey } from '../../store/table/keys.ts';
import type { Delivery, DeliveryRecord } from '../../store/webhook/deliveries.ts';
import type { Webhook } from '../../store/webhook/webhooks.ts';
import { deliveryErrorText } from '../deliveries/deliveryErrors.ts';
import { openWebhookSecret } from './webhookSecret.ts';

/** A webhook as the API shows it, without its secret. */
export function webhookRecord(webhook: Webhook): Shown<z.output<typeof webhookSchema>> {
  return {
    id: webhook.webhook_id,
    object: 'webhook',
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabled_reason ?? null,
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
  };
}

/** The same with its secret, for the calls that create and get a single one. */
export async function webhookRecordWithSecret(webhook: Webhook): Promise<Output<typeof getWebhookRoute>> {
  const secret = await openWebhookSecret(webhook.secret, webhookKey(webhook.workspace_id, webhook.webhook_id));
  return { ...webhookRecord(webhook), secret };
}

/** An entry of the delivery log. */
export function deliveryRecord(
  { deliveryId, record }: Delivery,
  language: Language,
): Shown<z.output<typeof deliverySchema>> {
  return {
    id: deliveryId,
    object: 'webhook_delivery',
    event_id: record.event_id,
    event_type: record.event_type,
    status: record.status,
    attempts: attemptsOf(record),
    response_status: record.response_status ?? null,
    response_body: record.response_body ?? null,
    error: errorOf(record, language),
    duration_ms: record.duration_ms ?? null,
    next_attempt_at: record.next_attempt_at ?? null,
    created_at: record.created_at,
    updated_at: record.updated_at ?? record.created_at,
  };
}

export const attemptsOf = ({ tries, replays = 0 }: DeliveryRecord): number => tries + replays;

export function errorOf({ error, response_status }: DeliveryRecord, language: Language): string | null {
  return error === undefined ? null : deliveryErrorText(error, response_status ?? null)[language];
}
