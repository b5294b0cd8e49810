import { UpdateCommand } from '../dynamodb/commands.ts';
import { signUpWindowKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Counts one more sign-up of a subject (an address or a source, in a workspace) in its current window. */
export async function countSignUp(
  subject: string,
  windowSeconds: number,
  now: Date,
): Promise<{ count: number; endsAt: number }> {
  const window = Math.floor(now.getTime() / 1000 / windowSeconds);
  const endsAt = (window + 1) * windowSeconds;
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: signUpWindowKey(subject, window),
      UpdateExpression: 'ADD calls :one SET expires_at = :expires',
      ExpressionAttributeValues: { ':one': 1, ':expires': endsAt },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return { count: Number(Attributes?.calls ?? 1), endsAt };
}
