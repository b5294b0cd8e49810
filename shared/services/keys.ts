import { ServiceError } from '../contract/errors.ts';
import type { Scope } from '../contract/scopes.ts';
import { createId } from '../domain/identifier.ts';
import { createApiKey, fingerprint, lastFour } from '../domain/token.ts';
import { type ApiKey, lastCalls, listApiKeys, putApiKey, revokeApiKey } from '../store/workspace/apiKeys.ts';
import type { Context } from './context.ts';
import { endedWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

/** Creates a key. Only this result has the full key; what is stored is its fingerprint. */
export const createKey = /* @__PURE__ */ operatorVerb(
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
      parent: null,
      validUntil: null,
    };
    if (!(await putApiKey(stored))) throw endedWorkspace();
    return { ...shownKey({ ...stored, revokedAt: null }), key };
  },
);

/** `last_used_at` is exact to the minute; null for a key that was never used. */
export type ListedKey = ShownKey & { readonly last_used_at: string | null };

/** All keys of a workspace, revoked ones included, oldest first. */
export async function listKeys(context: Context): Promise<ListedKey[]> {
  requireOperator(context, 'read');
  const keys = await listApiKeys(context.workspaceId);
  return listedKeys(keys, new Map(keys.map((key) => [key.keyId, key])));
}

/** Keys of a list with when they were last used; `all` contains their parents, with which they are revoked. */
export async function listedKeys(keys: readonly ApiKey[], all: ReadonlyMap<string, ApiKey>): Promise<ListedKey[]> {
  const used = await lastCalls(keys.map(({ fingerprint }) => fingerprint));
  return keys.map((key) => {
    const revokedAt = key.revokedAt ?? all.get(key.parent?.keyId ?? '')?.revokedAt ?? null;
    return { ...shownKey({ ...key, revokedAt }), last_used_at: used.get(key.fingerprint)?.toISOString() ?? null };
  });
}

/** Revokes a key by its id, and so its children, with effect from its next call. Revoking it again keeps the first date. */
export const revokeKey = /* @__PURE__ */ operatorVerb(
  { action: 'key.revoke', needs: 'own', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<ShownKey> => {
    const key = (await listApiKeys(context.workspaceId)).find((one) => one.keyId === id);
    if (!key) {
      throw new ServiceError('not_found', {
        text: {
          en: 'There is no key with this id in this workspace.',
          fr: 'Il n’y a pas de clé avec cet identifiant dans cet espace.',
        },
      });
    }
    if (!key.revokedAt) await revokeApiKey(key, context.now);
    return shownKey({ ...key, revokedAt: key.revokedAt ?? context.now.toISOString() });
  },
);

export function shownKey(key: ApiKey) {
  return {
    object: 'key' as const,
    id: key.keyId,
    name: key.keyName,
    last_four: key.lastFour,
    scopes: key.scopes,
    parent_id: key.parent?.keyId ?? null,
    expires_at: key.validUntil,
    workspace_id: key.workspaceId,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
  };
}

export type ShownKey = ReturnType<typeof shownKey>;
