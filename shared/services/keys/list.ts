import { lastUses, listApiKeys } from '../../store/workspace/apiKeys.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { type ShownKey, shownKey } from './shown.ts';

interface UsedKey extends ShownKey {
  /** The minute of its last call, ISO 8601 UTC; null when there was none. */
  readonly last_used_at: string | null;
}

/** The keys of a workspace, the revoked ones too, the oldest first. */
export async function listKeys(context: Context): Promise<UsedKey[]> {
  requireOperator(context, 'read');
  const keys = await listApiKeys(context.workspaceId);
  const uses = await lastUses(keys);
  return keys.map((key) => ({ ...shownKey(key), last_used_at: uses.get(key.keyId)?.toISOString() ?? null }));
}
