import { UpdateCommand } from '../dynamodb/commands.ts';
import { rateWindowKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

const windowSeconds = 60;

/** One fixed window of a minute: how many calls it has seen and when it ends (Unix seconds). */
export interface RateWindow {
  readonly count: number;
  readonly resetsAt: number;
}

/** The minute (since the epoch) whose window a call falls into. */
export const windowAt = (now: Date): number => Math.floor(now.getTime() / 1000 / windowSeconds);

/** When the window of a minute begins. */
export const startOf = (minute: number): Date => new Date(minute * windowSeconds * 1000);

export const rateWindow = (minute: number, count: number): RateWindow => ({
  count,
  resetsAt: (minute + 1) * windowSeconds,
});

/** Counts one call of a source (`source#<address>`) in its current minute; those of a key are counted with the key. */
export async function countCall(source: string, now: Date): Promise<RateWindow> {
  const minute = windowAt(now);
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: rateWindowKey(source, minute),
      UpdateExpression: 'ADD calls :one SET expires_at = :expires',
      ExpressionAttributeValues: { ':one': 1, ':expires': (minute + 2) * windowSeconds },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return rateWindow(minute, Number(Attributes?.calls ?? 1));
}
