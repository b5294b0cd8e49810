import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { rateWindowKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

const windowSeconds = 60;

/** One fixed window of a minute: how many calls it has seen and when it ends (Unix seconds). */
export interface RateWindow {
  readonly count: number;
  readonly resetsAt: number;
}

/** Counts one call of a subject (a key's fingerprint or `source#<address>`) in its current minute. */
export async function countCall(subject: string, now: Date): Promise<RateWindow> {
  const minute = Math.floor(now.getTime() / 1000 / windowSeconds);
  const resetsAt = (minute + 1) * windowSeconds;
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: rateWindowKey(subject, minute),
      UpdateExpression: 'ADD calls :one SET expires_at = :expires',
      ExpressionAttributeValues: { ':one': 1, ':expires': resetsAt + windowSeconds },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return { count: Number(Attributes?.calls ?? 1), resetsAt };
}
