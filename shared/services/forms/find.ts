import type { Workspace } from '../../domain/workspace/workspace.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { findWorkspaceByPublicId, getWorkspace } from '../../store/workspace/workspaces.ts';

/** Ids made by `createWorkspace`, with room for longer ones; anything else is not worth a read. */
const publicIdPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** The workspace of a sign-up form's address, null when there is none. */
export async function workspaceOfForm(publicId: string): Promise<Workspace | null> {
  const id = publicIdPattern.test(publicId) ? await findWorkspaceByPublicId(publicId) : null;
  addLogFields({ workspace_id: id ?? undefined });
  return id === null ? null : await getWorkspace(id);
}
