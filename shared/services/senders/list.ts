import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownSender, shownSender } from './shown.ts';

/** The senders of a workspace. */
export async function listSenders(context: Context): Promise<ShownSender[]> {
  requireOperator(context, 'read');
  return (await existingWorkspace(context.workspaceId)).senders.map(shownSender);
}
