import type { Scope } from '../../contract/scopes.ts';
import { createApiKey, fingerprint, lastFour } from '../../domain/token/apiKey.ts';
import { createId } from '../../domain/token/identifier.ts';
import { putApiKey } from '../../store/workspace/apiKeys.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { type ShownKey, shownKey } from './shown.ts';

/** A new key. The full key is in this answer and nowhere else: only its fingerprint is stored. */
export const createKey = operatorVerb(
  { action: 'key.create', needs: 'own', subject: ({ name }) => name },
  async (
    context: Context,
    { name, scopes }: { readonly name: string; readonly scopes: readonly Scope[] },
  ): Promise<ShownKey & { readonly key: string }> => {
    const key = createApiKey();
    const stored = {
      workspaceId: context.workspaceId,
      keyId: createId('key', context.now),
      keyName: name,
      lastFour: lastFour(key),
      fingerprint: fingerprint(key),
      scopes: [...scopes],
      createdAt: context.now.toISOString(),
    };
    await putApiKey(stored);
    return { ...shownKey({ ...stored, revokedAt: null }), key };
  },
);
