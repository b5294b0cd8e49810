import type { Input, Output } from '../../contract/route.ts';
import type { getWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { Context } from '../context.ts';
import { requireRole } from '../requireOperator.ts';
import { findWebhook } from './find.ts';
import { shownWebhookWithSecret } from './shown.ts';

/** With its secret, which is an owner's to see. */
export async function getWebhook(
  context: Context,
  { id }: Input<typeof getWebhookRoute>,
): Promise<Output<typeof getWebhookRoute>> {
  requireRole(context, 'own');
  return shownWebhookWithSecret(await findWebhook(context.workspaceId, id));
}
