import { ServiceError } from '../../contract/errors.ts';
import { isId } from '../../domain/token/identifier.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { getDelivery } from '../../store/webhook/deliveries.ts';
import type { Context } from '../context.ts';

/** A delivery of a webhook of the caller's workspace, with it; `not_found` for any other ids, and once it has expired. */
export async function findDelivery(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  { id: webhookId, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<{ webhook: Webhook; delivery: Delivery }> {
  if (!isId('whk', webhookId) || !isId('whd', deliveryId)) throw new ServiceError('not_found');
  const { webhook, delivery } = await getDelivery({ workspaceId, webhookId, deliveryId });
  if (!webhook || !delivery || delivery.expiresAt <= now) throw new ServiceError('not_found');
  return { webhook, delivery };
}
