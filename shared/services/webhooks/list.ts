import type { Input, Result } from '../../contract/route.ts';
import type { listWebhooksRoute } from '../../contract/routes/webhooks.ts';
import { listWebhooks as loadWebhooks } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { shownWebhook } from './shown.ts';

/** A workspace has 20 at most, newest first: all are read, and identifiers say where a page begins. */
export async function listWebhooks(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listWebhooksRoute>,
): Promise<Result<typeof listWebhooksRoute>> {
  const all = await loadWebhooks(workspaceId);
  const rest = after === undefined ? all : all.filter(({ webhookId }) => webhookId < after);
  const entries = rest.slice(0, limit);
  return { entries: entries.map(shownWebhook), next: rest.length > limit ? (entries.at(-1)?.webhookId ?? null) : null };
}
