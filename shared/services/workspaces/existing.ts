import { ServiceError } from '../../contract/errors.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';

/** The workspace of an id. Throws `not_found`. */
export async function existingWorkspace(id: string): Promise<Workspace> {
  const workspace = await getWorkspace(id);
  if (workspace) return workspace;
  throw new ServiceError('not_found', {
    text: { en: `There is no workspace "${id}".`, fr: `Il n’y a pas d’espace « ${id} ».` },
  });
}
