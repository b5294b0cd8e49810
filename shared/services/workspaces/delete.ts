import { ValidationError } from '../../contract/errors.ts';
import { listApiKeys, revokeApiKey } from '../../store/workspace/apiKeys.ts';
import { startDeletion } from '../../store/workspace/deletions.ts';
import { suspend } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from './existing.ts';

/**
 * Ends a workspace: nothing is sent and no key opens it from now on, and the sweeper deletes all that it holds, its
 * suppression list included. `name` must be its name, since nothing brings it back. Doing it again changes nothing.
 */
export const deleteWorkspace = operatorVerb(
  { action: 'workspace.delete', needs: 'own', subject: ({ name }) => name, ofDeployment: true },
  async (context: Context, { name }: { readonly name: string }) => {
    const workspace = await existingWorkspace(context.workspaceId);
    if (name !== workspace.name) throw otherName(workspace.name);
    const since = context.now.toISOString();
    await suspend(workspace.id, { since, bounceRate: 0, complaintRate: 0 });
    const keys = await listApiKeys(workspace.id);
    await Promise.all(keys.filter(({ revokedAt }) => !revokedAt).map((key) => revokeApiKey(key, context.now)));
    await startDeletion(workspace.id, context.now);
    return { object: 'workspace' as const, id: workspace.id, name: workspace.name, deleting: true };
  },
);

const otherName = (name: string): ValidationError =>
  new ValidationError([
    {
      path: 'name',
      text: {
        en: `is not the name of this workspace: to delete it for good, write "${name}"`,
        fr: `n’est pas le nom de cet espace : pour le supprimer définitivement, écrivez « ${name} »`,
      },
    },
  ]);
