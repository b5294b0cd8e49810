import * as z from 'zod';
import { type OperatorRole, operatorRoles } from '../../domain/workspace/operatorRole.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { GetCommand, PutCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { operatorKey, sessionEpochKey, signInKey } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, tableName } from '../table/table.ts';
import { decide } from '../table/transaction.ts';
import { operatorOf, type StoredOperator } from './operators.ts';

const record = z.object({
  name: z.string(),
  role: z.enum(operatorRoles).catch('viewer'),
  workspace_id: z.string().nullish().default(null),
  expires_at: z.number(),
});

/** Whom a sign-in link lets in, and as what. */
export interface SignIn {
  readonly name: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
  readonly expiresAt: Date;
}

/** Keeps a sign-in under the hash of its token, never the token. */
export async function putSignIn(tokenHash: string, { name, role, workspaceId, expiresAt }: SignIn): Promise<void> {
  const item = { name, role, workspace_id: workspaceId, expires_at: epochSeconds(expiresAt) };
  await documents.send(new PutCommand({ TableName: tableName(), Item: { ...signInKey(tokenHash), ...item } }));
}

/** Takes a sign-in away and answers it: of two who come with one token, one gets it. Null when it is gone or too old. */
export async function takeSignIn(tokenHash: string, now: Date): Promise<SignIn | null> {
  const place = { TableName: tableName(), Key: signInKey(tokenHash) };
  const { Item } = await documents.send(new GetCommand({ ...place, ConsistentRead: true }));
  if (!Item) return null;
  const { name, role, workspace_id, expires_at } = record.parse(Item);
  if (expires_at <= epochSeconds(now)) return null;
  if (!(await decide({ Delete: { ...place, ConditionExpression: 'attribute_exists(pk)' } }))) return null;
  return { name, role, workspaceId: workspace_id, expiresAt: new Date(expires_at * 1000) };
}

/** How often all sessions were ended, strongly consistent: a session made under an earlier count is over. One unit. */
export async function readSessionEpoch(): Promise<number> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: sessionEpochKey, ConsistentRead: true }),
  );
  return Number(Item?.epoch ?? 0);
}

/** What a session of an invited operator is held against: the count above, and them as they stand. Two units, one call. */
export async function readStanding(
  email: string,
): Promise<{ readonly epoch: number; readonly operator: StoredOperator | null }> {
  const [sessions, operator] = await readTogether([sessionEpochKey, operatorKey(email)]);
  return { epoch: Number(sessions?.epoch ?? 0), operator: operator ? operatorOf(operator) : null };
}

export async function raiseSessionEpoch(): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: sessionEpochKey,
      UpdateExpression: 'ADD epoch :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
}
