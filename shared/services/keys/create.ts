import type { Scope } from '../../contract/scopes.ts';
import { createApiKey, fingerprint, lastFour } from '../../domain/token/apiKey.ts';
import { createId } from '../../domain/token/identifier.ts';
import { type ApiKey, putApiKey } from '../../store/workspace/apiKeys.ts';

/** A new key. The full key is in this answer and nowhere else: only its fingerprint is stored. */
export async function createKey(
  wanted: { workspaceId: string; name: string; scopes: readonly Scope[] },
  now: Date,
): Promise<{ key: string; record: Omit<ApiKey, 'revokedAt'> }> {
  const key = createApiKey();
  const record = {
    workspaceId: wanted.workspaceId,
    keyId: createId('key', now),
    keyName: wanted.name,
    lastFour: lastFour(key),
    fingerprint: fingerprint(key),
    scopes: [...wanted.scopes],
    createdAt: now.toISOString(),
  };
  await putApiKey(record);
  return { key, record };
}
