import type { Workspace } from '../../domain/workspace/workspace.ts';
import { findWorkspaceByPublicId, getWorkspace } from '../../store/workspace/workspaces.ts';

export type { Workspace };

/** Ids made by `createWorkspace`, with room for longer ones; anything else is not worth a read. */
const publicIdPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** The workspace of a sign-up form's address, null when there is none. */
export async function workspaceOfForm(publicId: string): Promise<Workspace | null> {
  if (!publicIdPattern.test(publicId)) return null;
  return workspaceOfLink(await findWorkspaceByPublicId(publicId));
}

/** The workspace that a link tells of, null when it tells of none or of one that is gone. */
export async function workspaceOfLink(workspaceId: string | null): Promise<Workspace | null> {
  return workspaceId === null ? null : await getWorkspace(workspaceId);
}

/** Where a person signs up, the only way back after an unsubscription. */
export function formUrl(baseUrl: string, workspace: Workspace): string {
  return `${baseUrl}/join/${workspace.publicId}`;
}
