import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import {
  type SuppressionReason,
  type SuppressionScope,
  suppressionRank,
  suppressionReasons,
} from '../../domain/person/suppression.ts';
import { addressItemKey, platformAddressKey, platformSuppressedPartition, suppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';

export interface Suppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly createdAt: string;
}

const part = z.object({
  email: z.string(),
  suppression_reason: z.enum(suppressionReasons),
  suppressed_at: z.string(),
});

/** The suppression of an address item, null when the item is there for another reason. */
export function suppressionOf(item: Item): Suppression | null {
  if (!item.suppression_reason) return null;
  const parsed = part.parse(item);
  const scope = String(item.pk).startsWith('PLATFORM#') ? 'platform' : 'organization';
  return { email: parsed.email, reason: parsed.suppression_reason, scope, createdAt: parsed.suppressed_at };
}

/** Every suppression of these addresses (canonical form), in the workspace and on the platform, in one round trip. */
export async function findSuppressions(workspaceId: string, addresses: readonly string[]): Promise<Suppression[]> {
  const keys = addresses.flatMap((address) => [addressItemKey(workspaceId, address), platformAddressKey(address)]);
  const items = await batchGet(keys, { consistent: true });
  return items.map(suppressionOf).filter((found) => found !== null);
}

/** The workspace's own list, newest first: one query of keys and one batch read, whatever its length. */
export async function pageOfSuppressions(
  workspaceId: string,
  wanted: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ entries: Suppression[]; next: string | null }> {
  const { positions, next } = await newestPositions('suppressed', suppressedPartition(workspaceId), wanted);
  const keys = positions.map((position) => addressItemKey(workspaceId, addressOfPosition(position)));
  const items = new Map((await batchGet(keys, { consistent: false })).map((item) => [item.pk, suppressionOf(item)]));
  return { entries: keys.flatMap(({ pk }) => items.get(pk) ?? []), next };
}

/**
 * Puts an address on the platform's own list; false when it stands there for the same or a higher reason. The first
 * date and the higher reason stay. In a workspace people are suppressed through shared/services/suppression/.
 */
export async function putPlatformSuppression(email: string, reason: SuppressionReason, at: Date): Promise<boolean> {
  const since = at.toISOString();
  const change = new UpdateCommand({
    TableName: tableName(),
    Key: platformAddressKey(email),
    UpdateExpression:
      'SET email = :email, suppression_reason = :reason, suppression_rank = :rank, ' +
      'suppressed_at = if_not_exists(suppressed_at, :at), suppressed_pk = :partition, ' +
      'suppressed_sk = if_not_exists(suppressed_sk, :position) ADD version :one',
    ConditionExpression: 'attribute_not_exists(suppression_rank) OR suppression_rank < :rank',
    ExpressionAttributeValues: {
      ':email': email,
      ':reason': reason,
      ':rank': suppressionRank(reason),
      ':at': since,
      ':partition': platformSuppressedPartition,
      ':position': `${since}#${email}`,
      ':one': 1,
    },
  });
  try {
    await documents.send(change);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
