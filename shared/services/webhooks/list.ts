import type { listWebhooksRoute } from '../../contract/routes/webhooks.ts';
import type { Call, Reply } from '../../http/call.ts';
import { listWebhooks as loadWebhooks } from '../../store/webhook/webhooks.ts';
import { webhookRecord } from './record.ts';

/** All of them: a workspace has 20 at most. */
export async function listWebhooks({ caller }: Call<typeof listWebhooksRoute>): Promise<Reply> {
  const webhooks = await loadWebhooks(caller.workspaceId);
  return {
    status: 200,
    body: { object: 'list', data: webhooks.map(webhookRecord), has_more: false, next_cursor: null },
  };
}
