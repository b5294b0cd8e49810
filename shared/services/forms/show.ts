import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownForm, shownForm } from './shown.ts';

/** The sign-up form of a workspace. */
export async function showForm(context: Context): Promise<ShownForm> {
  requireOperator(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  return shownForm(workspace, workspace.formOrigins);
}
