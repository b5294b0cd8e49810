import { lastCalls, listApiKeys } from '../../store/workspace/apiKeys.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { type ShownKey, shownKey } from './shown.ts';

/** As a list shows it: when it was last used too, to the minute; null for never. */
export type ListedKey = ShownKey & { readonly last_used_at: string | null };

/** The keys of a workspace, the revoked ones too, the oldest first. */
export async function listKeys(context: Context): Promise<ListedKey[]> {
  requireOperator(context, 'read');
  const keys = await listApiKeys(context.workspaceId);
  const used = await lastCalls(keys.map(({ fingerprint }) => fingerprint));
  return keys.map((key) => ({
    ...shownKey(key),
    last_used_at: used.get(key.fingerprint)?.toISOString() ?? null,
  }));
}
