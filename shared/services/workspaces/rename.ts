import { renameWorkspace as write } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from './existing.ts';

/** Gives a workspace another name, on its pages and in its messages from now on. */
export const renameWorkspace = operatorVerb(
  { action: 'workspace.rename', needs: 'own', subject: ({ name }) => name },
  async (context: Context, { name }: { readonly name: string }) => {
    const { id } = await existingWorkspace(context.workspaceId);
    await write(id, name);
    return { object: 'workspace' as const, id, name };
  },
);
