import type { Input, Output } from '../../contract/route.ts';
import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { Context } from '../context.ts';
import { findWebhook } from './find.ts';
import { webhookRecordWithSecret } from './record.ts';

export async function getWebhook(
  { workspaceId }: Context,
  { id }: Input<typeof getWebhookRoute>,
): Promise<Output<typeof getWebhookRoute>> {
  return webhookRecordWithSecret(await findWebhook(workspaceId, id));
}
