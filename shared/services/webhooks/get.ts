import type { Input, Output } from '../../contract/route.ts';
import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { Context } from '../context.ts';
import { findWebhook } from './find.ts';
import { shownWebhookWithSecret } from './shown.ts';

export async function getWebhook(
  { workspaceId }: Context,
  { id }: Input<typeof getWebhookRoute>,
): Promise<Output<typeof getWebhookRoute>> {
  return shownWebhookWithSecret(await findWebhook(workspaceId, id));
}
