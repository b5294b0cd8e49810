import type { Input, Result } from '../../contract/route.ts';
import type { listDeliveriesRoute } from '../../contract/routes/webhooks.ts';
import { listDeliveries as loadDeliveries } from '../../store/webhook/deliveries.ts';
import type { Context } from '../context.ts';
import { findWebhook } from '../webhooks/find.ts';
import { shownDelivery } from '../webhooks/shown.ts';

/** The delivery log, newest first. */
export async function listDeliveries(
  { workspaceId, language, now }: Context,
  { id, limit, after }: Input<typeof listDeliveriesRoute>,
): Promise<Result<typeof listDeliveriesRoute>> {
  await findWebhook(workspaceId, id);
  const page = await loadDeliveries({ workspaceId, webhookId: id }, { limit, after, now });
  return { entries: page.deliveries.map((delivery) => shownDelivery(delivery, language)), next: page.last };
}
