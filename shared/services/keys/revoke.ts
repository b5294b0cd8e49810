import { ServiceError } from '../../contract/errors.ts';
import { type ApiKey, listApiKeys, revokeApiKey } from '../../store/workspace/apiKeys.ts';

/** Revokes a key by its id (not the key itself), from its next call on; a revoked one keeps its first date. */
export async function revokeKey(workspaceId: string, keyId: string, now: Date): Promise<ApiKey> {
  const key = (await listApiKeys(workspaceId)).find((one) => one.keyId === keyId);
  if (!key) {
    throw new ServiceError('not_found', {
      text: {
        en: 'There is no key with this id in the workspace ("key list" shows them).',
        fr: 'Il n’y a pas de clé de cet identifiant dans l’espace (« key list » les montre).',
      },
    });
  }
  if (!key.revokedAt) await revokeApiKey(key, now);
  return { ...key, revokedAt: key.revokedAt ?? now.toISOString() };
}
