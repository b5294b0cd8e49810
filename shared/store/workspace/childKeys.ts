import { workspaceKeyKey } from '../table/keys.ts';
import { getItem } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changePart } from '../table/write.ts';
import { type ApiKey, apiKeyOf, type KeyRecord, putKeyParts } from './apiKeys.ts';
import { openPart } from './workspaces.ts';

/** The key that makes children: its fingerprint, and the count of its children, which `putChildKey` expects. */
export interface ParentKey {
  readonly fingerprint: string;
  readonly childrenMade: number | undefined;
}

/** Null for a key that is not in the workspace's list. */
export async function getParentKey(workspaceId: string, keyId: string): Promise<ParentKey | null> {
  const item = await getItem(workspaceKeyKey(workspaceId, keyId));
  const made = item?.children_made;
  return (
    item && { fingerprint: apiKeyOf(item).fingerprint, childrenMade: made === undefined ? undefined : Number(made) }
  );
}

/**
 * Writes a child key while its parent lives, in one transaction. Only the parent's copy in the list is written, which
 * `revokeApiKey` marks too: the other copy takes a write a call. `changed`: the parent made another child meanwhile.
 */
export async function putChildKey(
  key: Omit<ApiKey, 'revokedAt'> & { readonly parent: NonNullable<ApiKey['parent']> },
  childrenMade: number | undefined,
): Promise<'put' | 'ended' | 'revoked' | 'changed'> {
  const refused = await transact([
    openPart(key.workspaceId),
    changePart<KeyRecord>(
      workspaceKeyKey(key.workspaceId, key.parent.keyId),
      {
        set: { children_made: (childrenMade ?? 0) + 1 },
        expect: { revoked_at: undefined, children_made: childrenMade },
        if: [['pk', 'exists']],
      },
      { returnStored: true },
    ),
    ...putKeyParts(key),
  ]);
  if (!refused) return 'put';
  if (isFailedCondition(refused[0])) return 'ended';
  if (!isFailedCondition(refused[1])) throw new Error('There is a key of this id already.');
  return refused[1]?.Item?.revoked_at === undefined ? 'changed' : 'revoked';
}
