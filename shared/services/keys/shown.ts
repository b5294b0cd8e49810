import type { ApiKey } from '../../store/workspace/apiKeys.ts';

/** A key as the operator sees it; the key itself is not stored. */
export function shownKey(key: ApiKey) {
  return {
    object: 'key' as const,
    id: key.keyId,
    name: key.keyName,
    last_four: key.lastFour,
    scopes: key.scopes,
    workspace_id: key.workspaceId,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
  };
}

export type ShownKey = ReturnType<typeof shownKey>;
