import type { MailKind } from '../../domain/workspace/workspace.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** The kinds of mail that people may leave by themselves. */
export async function listKinds(context: Context): Promise<readonly MailKind[]> {
  requireOperator(context, 'read');
  return (await existingWorkspace(context.workspaceId)).kinds;
}
