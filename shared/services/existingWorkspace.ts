import { ServiceError } from '../contract/errors.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { getWorkspace } from '../store/workspace/workspaces.ts';

/** The workspace with this id. Throws `not_found`, or `conflict` when it is being deleted. */
export async function existingWorkspace(id: string, consistency?: 'strong' | 'eventual'): Promise<Workspace> {
  const workspace = await existingOrEnded(id, consistency);
  requireOpen(workspace);
  return workspace;
}

/** A workspace that is being deleted is closed: it is shown, and does nothing more. Throws `conflict`. */
export function requireOpen({ endedAt }: Pick<Workspace, 'endedAt'>): void {
  if (endedAt) throw endedWorkspace();
}

export const endedWorkspace = (): ServiceError =>
  new ServiceError('conflict', {
    text: {
      en: 'This workspace is being deleted: it can only be shown ("workspace show").',
      fr: 'Cet espace est en cours de suppression : il peut seulement être affiché (« workspace show »).',
    },
    details: { status: 'deleting' },
  });

/** The workspace with this id, although it may be being deleted. Throws `not_found`. */
export async function existingOrEnded(id: string, consistency?: 'strong' | 'eventual'): Promise<Workspace> {
  const workspace = await getWorkspace(id, consistency);
  if (workspace) return workspace;
  throw new ServiceError('not_found', {
    text: { en: `There is no workspace "${id}".`, fr: `Il n’y a pas d’espace « ${id} ».` },
  });
}
