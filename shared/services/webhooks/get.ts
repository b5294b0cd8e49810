import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findWebhook } from './find.ts';
import { webhookRecordWithSecret } from './record.ts';

export async function getWebhook({ caller, path }: Call<typeof getWebhookRoute>): Promise<Reply> {
  const webhook = await findWebhook(caller.workspaceId, path.id);
  return { status: 200, body: await webhookRecordWithSecret(webhook) };
}
