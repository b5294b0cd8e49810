import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { claimKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Who holds an Idempotency-Key: the email that its first call makes, and the hash of that call's body. */
export interface Claim {
  readonly emailId: string;
  readonly bodyHash: string;
  /** Unix milliseconds; 0 when the key is free to be taken over at once. */
  readonly claimedAt: number;
}

interface ClaimPosition {
  readonly workspaceId: string;
  readonly keyHash: string;
}

/** Claims a key for an email. Null when the claim is ours; else the claim that stands. */
export async function claim(position: ClaimPosition, wanted: Claim, now: Date): Promise<Claim | null> {
  const seconds = epochSeconds(now);
  try {
    await documents.send(
      new PutCommand({
        TableName: tableName(),
        Item: {
          ...claimKey(position.workspaceId, position.keyHash),
          email_id: wanted.emailId,
          body_hash: wanted.bodyHash,
          claimed_at: wanted.claimedAt,
          expires_at: seconds + secondsInDay,
        },
        ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now OR email_id = :own',
        ExpressionAttributeValues: { ':now': seconds, ':own': wanted.emailId },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = unmarshall(error.Item ?? {});
    return {
      emailId: String(item.email_id),
      bodyHash: String(item.body_hash),
      claimedAt: Number(item.claimed_at),
    };
  }
}

/** Takes over a claim whose call died; false when another call was faster. */
export async function takeOver(position: ClaimPosition, standing: Claim, now: Date): Promise<boolean> {
  return change(position, standing, now.getTime());
}

/** Leaves the claim standing for its email, free to be taken over at once: the send was partly accepted. */
export async function reopen(position: ClaimPosition, own: Claim): Promise<void> {
  await change(position, own, 0);
}

async function change(position: ClaimPosition, standing: Claim, claimedAt: number): Promise<boolean> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: claimKey(position.workspaceId, position.keyHash),
        UpdateExpression: 'SET claimed_at = :new',
        ConditionExpression: 'email_id = :email AND claimed_at = :old',
        ExpressionAttributeValues: { ':new': claimedAt, ':email': standing.emailId, ':old': standing.claimedAt },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Frees the key of a call that sent nothing; another email's claim is left alone. */
export async function release(position: ClaimPosition, emailId: string): Promise<void> {
  try {
    await documents.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: claimKey(position.workspaceId, position.keyHash),
        ConditionExpression: 'email_id = :email',
        ExpressionAttributeValues: { ':email': emailId },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
