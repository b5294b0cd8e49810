import type { Result } from '../../contract/route.ts';
import type { listWebhooksRoute } from '../../contract/routes/webhooks.ts';
import { listWebhooks as loadWebhooks } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { shownWebhook } from './shown.ts';

/** All of them: a workspace has 20 at most. */
export async function listWebhooks({ workspaceId }: Context): Promise<Result<typeof listWebhooksRoute>> {
  const webhooks = await loadWebhooks(workspaceId);
  return { entries: webhooks.map(shownWebhook), next: null };
}
