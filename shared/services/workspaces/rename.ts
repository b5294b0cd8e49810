import { renameWorkspace as write } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from './existing.ts';

/** Gives a workspace another name, on its pages and in its messages from now on. */
export async function renameWorkspace(context: Context, { name }: { readonly name: string }) {
  requireOperator(context);
  const { id } = await existingWorkspace(context.workspaceId);
  await write(id, name);
  return { object: 'workspace' as const, id, name };
}
