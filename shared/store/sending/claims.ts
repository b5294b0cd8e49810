import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { claimKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** Who holds an Idempotency-Key: the email that its first call makes, and the hash of that call's body. */
export interface Claim {
  readonly emailId: string;
  readonly bodyHash: string;
  /** Unix milliseconds; 0 when the key is free to be taken over at once. */
  readonly claimedAt: number;
  /** Envelopes that a call before this one left in doubt: the provider may have taken them. */
  readonly inDoubt: readonly number[];
  /** Emails of a batch that its first call refused while it sent the others. */
  readonly refused?: readonly RefusedEmail[] | undefined;
}

export interface RefusedEmail {
  /** Its place in the batch. */
  readonly index: number;
  /** Why, by language. */
  readonly text: Readonly<Record<string, string>>;
}

export interface ClaimPosition {
  readonly workspaceId: string;
  readonly keyHash: string;
}

/** The condition that a claim stands as it is known. */
interface Held {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
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
    return claimOf(error.Item ?? {});
  }
}

const claimOf = (item: Item): Claim => ({
  emailId: String(item.email_id),
  bodyHash: String(item.body_hash),
  claimedAt: Number(item.claimed_at),
  inDoubt: (item.in_doubt ?? []) as readonly number[],
  refused: item.refused as readonly RefusedEmail[] | undefined,
});

/** Takes over a claim whose call left no answer; null when another call was faster. */
export async function takeOver(
  position: ClaimPosition,
  standing: Claim,
  inDoubt: readonly number[],
  now: Date,
): Promise<Claim | null> {
  const own = { ...standing, claimedAt: now.getTime(), inDoubt };
  return (await change(position, standing, own)) ? own : null;
}

/** Leaves the claim standing for its email, free to be taken over at once: what it sent, and what it did not, is known. */
export async function reopen(position: ClaimPosition, own: Claim, inDoubt: readonly number[]): Promise<void> {
  await change(position, own, { claimedAt: 0, inDoubt });
}

async function change(
  position: ClaimPosition,
  standing: Claim,
  { claimedAt, inDoubt }: Pick<Claim, 'claimedAt' | 'inDoubt'>,
): Promise<boolean> {
  return whileHeld(standing, (held) =>
    documents.send(
      new UpdateCommand({
        ...held,
        TableName: tableName(),
        Key: claimKey(position.workspaceId, position.keyHash),
        UpdateExpression: 'SET claimed_at = :new, in_doubt = :doubt',
        ExpressionAttributeValues: { ...held.ExpressionAttributeValues, ':new': claimedAt, ':doubt': inDoubt },
      }),
    ),
  );
}

/** Keeps which emails of a batch are refused, before the others are sent; false when another call holds the claim. */
export async function noteRefused(
  position: ClaimPosition,
  own: Claim,
  refused: readonly RefusedEmail[],
): Promise<boolean> {
  return whileHeld(own, (held) =>
    documents.send(
      new UpdateCommand({
        ...held,
        TableName: tableName(),
        Key: claimKey(position.workspaceId, position.keyHash),
        UpdateExpression: 'SET refused = :refused',
        ExpressionAttributeValues: { ...held.ExpressionAttributeValues, ':refused': refused },
      }),
    ),
  );
}

/** Frees the key of a call that sent nothing; a claim that another call holds by now is left alone. */
export async function release(position: ClaimPosition, own: Claim): Promise<void> {
  await whileHeld(own, (held) =>
    documents.send(
      new DeleteCommand({ ...held, TableName: tableName(), Key: claimKey(position.workspaceId, position.keyHash) }),
    ),
  );
}

/** Writes only while the claim stands as it is known; false when it does not. */
async function whileHeld(known: Claim, write: (held: Held) => Promise<unknown>): Promise<boolean> {
  return conditionHolds(() =>
    write({
      ConditionExpression: 'email_id = :email AND claimed_at = :old',
      ExpressionAttributeValues: { ':email': known.emailId, ':old': known.claimedAt },
    }),
  );
}

/** False when another call has taken the claim over. Strongly consistent. */
export async function isHeld(position: ClaimPosition, own: Claim): Promise<boolean> {
  const Key = claimKey(position.workspaceId, position.keyHash);
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return Item?.email_id === own.emailId && Item.claimed_at === own.claimedAt;
}
