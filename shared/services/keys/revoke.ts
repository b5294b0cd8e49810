import { ServiceError } from '../../contract/errors.ts';
import { listApiKeys, revokeApiKey } from '../../store/workspace/apiKeys.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { type ShownKey, shownKey } from './shown.ts';

/** Revokes a key by its id (not the key itself), from its next call on; a revoked one keeps its first date. */
export const revokeKey = operatorVerb(
  { action: 'key.revoke', needs: 'own', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<ShownKey> => {
    const key = (await listApiKeys(context.workspaceId)).find((one) => one.keyId === id);
    if (!key) {
      throw new ServiceError('not_found', {
        text: {
          en: 'There is no key with this id in this workspace.',
          fr: 'Il n’y a pas de clé de cet identifiant dans cet espace.',
        },
      });
    }
    if (!key.revokedAt) await revokeApiKey(key, context.now);
    return shownKey({ ...key, revokedAt: key.revokedAt ?? context.now.toISOString() });
  },
);
