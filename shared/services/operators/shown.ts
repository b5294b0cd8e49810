import type { StoredOperator } from '../../store/operator/operators.ts';

/** Somebody who was invited, as operators see them: by which name the provider knows them is nobody's business. */
export function shownOperator({ email, role, workspaceId, invitedAt, invitedBy, signedInAt }: StoredOperator) {
  return {
    object: 'operator' as const,
    email,
    role,
    workspace_id: workspaceId,
    invited_at: invitedAt,
    invited_by: invitedBy,
    signed_in_at: signedInAt,
  };
}
