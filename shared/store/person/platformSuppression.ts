import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Suppression, type SuppressionReason, suppressionRank } from '../../domain/person/suppression.ts';
import { platformAddressKey, platformSuppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, documents, tableName } from '../table/table.ts';
import { suppressionOf } from './suppression.ts';

/** Those of these addresses that are on the platform's list: half a read unit an address. */
export async function findPlatformSuppressed(emails: readonly string[]): Promise<Set<string>> {
  const items = await batchGet(emails.map(platformAddressKey), { consistent: false, attributes: [['email']] });
  return new Set(items.map((item) => String(item.email)));
}

/** The platform's whole list, in pages. */
export async function* platformSuppressedPages(): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const { positions, next } = await newestPositions('suppressed', platformSuppressedPartition, {
      limit: 1000,
      after,
    });
    yield positions.map(addressOfPosition);
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Takes an address (canonical form) off the platform's list; answers what stood there, null when nothing did. */
export async function deletePlatformSuppression(email: string): Promise<Suppression | null> {
  const { Attributes } = await documents.send(
    new DeleteCommand({ TableName: tableName(), Key: platformAddressKey(email), ReturnValues: 'ALL_OLD' }),
  );
  return Attributes ? suppressionOf(Attributes) : null;
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
