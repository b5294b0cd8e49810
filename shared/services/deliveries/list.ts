import type { listDeliveriesRoute } from '../../contract/routes/webhooks.ts';
import type { Call, Reply } from '../../http/call.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { listDeliveries as loadDeliveries } from '../../store/webhook/deliveries.ts';
import { findWebhook } from '../webhooks/find.ts';
import { deliveryRecord } from '../webhooks/record.ts';

/** The delivery log, newest first. */
export async function listDeliveries(call: Call<typeof listDeliveriesRoute>): Promise<Reply> {
  const { caller, path, query, language, now } = call;
  const scope = { workspaceId: caller.workspaceId, list: 'deliveries', filters: { webhook: path.id } };
  const after = await decodeCursor<string>(scope, query.cursor);
  await findWebhook(caller.workspaceId, path.id);
  const position = { workspaceId: caller.workspaceId, webhookId: path.id };
  const page = await loadDeliveries(position, { limit: query.limit, after, now });
  return {
    status: 200,
    body: {
      object: 'list',
      data: page.deliveries.map((delivery) => deliveryRecord(delivery, language)),
      has_more: page.last !== null,
      next_cursor: await encodeCursor(scope, page.last),
    },
  };
}
