import { ServiceError, ValidationError } from '../contract/errors.ts';
import type { Input, Output, Result } from '../contract/route.ts';
import type { createKeyRoute, listKeysRoute, revokeKeyRoute } from '../contract/routes/keys.ts';
import { createId, isId } from '../domain/identifier.ts';
import { createApiKey, fingerprint, lastFour } from '../domain/token.ts';
import { textsOf } from '../language/text.ts';
import { endOfKey, getApiKey, listApiKeys, revokeApiKey } from '../store/workspace/apiKeys.ts';
import { getParentKey, putChildKey } from '../store/workspace/childKeys.ts';
import type { Context, KeyActor } from './context.ts';
import { endedWorkspace } from './existingWorkspace.ts';
import { listedKeys, shownKey } from './keys.ts';
import { operatorVerb } from './operatorVerb.ts';

const maxLivingChildren = 20;
const maxDays = 90;
const maxTries = 5;

const texts = textsOf({
  scope: { en: 'is not a scope of your key', fr: 'n’est pas une portée de votre clé' },
  past: { en: 'must be in the future', fr: 'doit être dans l’avenir' },
  far: { en: `must be ${maxDays} days ahead at most`, fr: `doit être dans ${maxDays} jours au plus` },
  after: { en: 'is not a key of this workspace', fr: 'n’est pas une clé de cet espace' },
  tooMany: {
    en: `A key has at most ${maxLivingChildren} living keys of its own: revoke one first.`,
    fr: `Une clé a au plus ${maxLivingChildren} clés filles valides : révoquez-en une d’abord.`,
  },
  busy: {
    en: 'Other calls are creating keys with this key: try again.',
    fr: 'D’autres appels créent des clés avec cette clé : réessayez.',
  },
});

/** The keys of a workspace for a key, newest first. All are read: a workspace has few. */
export async function pageOfKeys(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listKeysRoute>,
): Promise<Result<typeof listKeysRoute>> {
  if (after !== undefined && !isId('key', after)) throw new ValidationError([{ path: 'after', text: texts.after }]);
  const all = (await listApiKeys(workspaceId)).reverse();
  const rest = after === undefined ? all : all.filter(({ keyId }) => keyId < after);
  const page = rest.slice(0, limit);
  const parents = new Map(all.map((key) => [key.keyId, key]));
  return {
    entries: (await listedKeys(page, parents)).map(keyJson),
    next: rest.length > limit ? (page.at(-1)?.keyId ?? null) : null,
  };
}

/**
 * Creates a key for a part of the caller's work: with some of its scopes, an end, and the caller as its parent. Only this
 * result has the full key. Throws `conflict` when there are 20 living ones.
 */
export const createChildKey = /* @__PURE__ */ operatorVerb(
  { action: 'key.create', needs: 'own', subject: ({ name }) => name, byKeys: 'audited' },
  async (
    context: Context<KeyActor>,
    { name, scopes, expires_at }: Input<typeof createKeyRoute>,
  ): Promise<Output<typeof createKeyRoute>> => {
    const { workspaceId, actor, now } = context;
    const issues = [
      ...scopes.flatMap((scope, index) =>
        actor.scopes.includes(scope) ? [] : [{ path: `scopes[${index}]`, text: texts.scope }],
      ),
      ...issuesOfEnd(new Date(expires_at), now),
    ];
    if (issues.length > 0) throw new ValidationError(issues);
    const key = createApiKey();
    const stored = {
      workspaceId,
      keyId: createId('key', now),
      keyName: name,
      lastFour: lastFour(key),
      fingerprint: fingerprint(key),
      scopes: [...scopes],
      createdAt: now.toISOString(),
      validUntil: new Date(expires_at).toISOString(),
    };
    const child = { ...stored, parent: await writeChild(context, stored) };
    return { ...keyJson({ ...shownKey({ ...child, revokedAt: null }), last_used_at: null }), key };
  },
);

function issuesOfEnd(end: Date, now: Date) {
  const milliseconds = end.getTime() - now.getTime();
  if (milliseconds <= 0) return [{ path: 'expires_at', text: texts.past }];
  return milliseconds > maxDays * 86_400_000 ? [{ path: 'expires_at', text: texts.far }] : [];
}

/** The count of children is read before they are listed, so that no child that is missing in the list can be missed. */
async function writeChild(
  { workspaceId, actor, now }: Context<KeyActor>,
  key: Omit<Parameters<typeof putChildKey>[0], 'parent'>,
) {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const caller = await getParentKey(workspaceId, actor.keyId);
    if (!caller) throw new ServiceError('invalid_api_key');
    const parent = { keyId: actor.keyId, fingerprint: caller.fingerprint };
    const living = (await listApiKeys(workspaceId)).filter(
      (one) => one.parent?.keyId === actor.keyId && !endOfKey(one, now),
    );
    if (living.length >= maxLivingChildren) throw new ServiceError('conflict', { text: texts.tooMany });
    const outcome = await putChildKey({ ...key, parent }, caller.childrenMade);
    if (outcome === 'put') return parent;
    if (outcome === 'ended') throw endedWorkspace();
    if (outcome === 'revoked') throw new ServiceError('revoked_api_key');
  }
  throw new ServiceError('conflict', { text: texts.busy, retryAfterSeconds: 1 });
}

/** Revokes a child of the caller, with effect from its next call. */
export const revokeChildKey = /* @__PURE__ */ operatorVerb(
  { action: 'key.revoke', needs: 'own', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    { workspaceId, actor, now }: Context<KeyActor>,
    { id }: Input<typeof revokeKeyRoute>,
  ): Promise<Output<typeof revokeKeyRoute>> => {
    const key = isId('key', id) ? await getApiKey(workspaceId, id) : null;
    if (!key || key.parent?.keyId !== actor.keyId) throw new ServiceError('not_found');
    if (!key.revokedAt) await revokeApiKey(key, now);
    return { object: 'key', id, deleted: true };
  },
);

/** A key as the API shows it; approvals come with a later release. */
const keyJson = ({ workspace_id: _, ...key }: Awaited<ReturnType<typeof listedKeys>>[number]) => ({
  ...key,
  approval: null,
});
