import * as z from 'zod';
import { type OperatorRole, operatorRoles } from '../../domain/workspace/operatorRole.ts';
import { DeleteCommand, PutCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { operatorKey, operatorPrefix } from '../table/keys.ts';
import { documents, type Item, queryAll, tableName } from '../table/table.ts';

const record = z
  .object({
    id: z.string(),
    email: z.string(),
    // A role that only a later release knows may look and no more.
    role: z.enum(operatorRoles).catch('viewer'),
    workspace_id: z.string().nullish().default(null),
    invited_at: z.string(),
    invited_by: z.string().default(''),
    issuer: z.string().nullish().default(null),
    subject: z.string().nullish().default(null),
    signed_in_at: z.string().nullish().default(null),
  })
  .transform(({ issuer, subject, ...item }) => ({
    id: item.id,
    email: item.email,
    role: item.role,
    workspaceId: item.workspace_id,
    invitedAt: item.invited_at,
    invitedBy: item.invited_by,
    identity: issuer !== null && subject !== null ? { issuer, subject } : null,
    signedInAt: item.signed_in_at,
  }));

/** Who somebody is to a provider: what never changes there, whatever becomes of their address. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** Somebody who was invited to the console. */
export interface StoredOperator {
  /** Made anew when they are invited again, or when their sessions are ended: a session names the one it is of. */
  readonly id: string;
  /** In the form in which addresses are compared. */
  readonly email: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
  /** ISO 8601 UTC. */
  readonly invitedAt: string;
  readonly invitedBy: string;
  /** Null until they sign in for the first time; from then on nobody else is them. */
  readonly identity: ProviderIdentity | null;
  readonly signedInAt: string | null;
}

export const operatorOf = (item: Item): StoredOperator => record.parse(item);

/** By their addresses, strongly consistent: one unit for some fifteen of them. */
export async function listStoredOperators(): Promise<StoredOperator[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :operators)',
    ExpressionAttributeValues: { ':pk': operatorKey('').pk, ':operators': operatorPrefix },
    ConsistentRead: true,
  });
  return items.map(operatorOf);
}

type Invited = Omit<StoredOperator, 'identity' | 'signedInAt'>;

/** Writes an invitation; false when somebody of this address has signed in already, whose place nobody takes. */
export async function putInvitation({ id, email, role, workspaceId, invitedAt, invitedBy }: Invited): Promise<boolean> {
  const item = { id, email, role, workspace_id: workspaceId, invited_at: invitedAt, invited_by: invitedBy };
  const put = new PutCommand({
    TableName: tableName(),
    Item: { ...operatorKey(email), ...item },
    ConditionExpression: 'attribute_not_exists(subject)',
  });
  return conditionHolds(() => documents.send(put));
}

type Granted = Pick<StoredOperator, 'role' | 'workspaceId'>;

/** Null when there is nobody of this address. */
export async function changeStoredOperator(email: string, granted: Granted): Promise<StoredOperator | null> {
  const set = { role: granted.role, workspace_id: granted.workspaceId };
  const item = await changeItem<typeof set>(operatorKey(email), { set });
  return item && operatorOf(item);
}

/** Ends their sessions: none that is under way names this id. Null when there is nobody of this address. */
export async function renewOperator(email: string, id: string): Promise<StoredOperator | null> {
  const item = await changeItem<{ id: string }>(operatorKey(email), { set: { id } });
  return item && operatorOf(item);
}

/** Takes somebody off the list, and answers who it was; null when there was nobody of this address. */
export async function removeStoredOperator(email: string): Promise<StoredOperator | null> {
  const { Attributes } = await documents.send(
    new DeleteCommand({ TableName: tableName(), Key: operatorKey(email), ReturnValues: 'ALL_OLD' }),
  );
  return Attributes ? operatorOf(Attributes) : null;
}

/**
 * Notes that somebody signed in, and who they are to the provider from now on. Null when they were removed, invited anew
 * or taken for somebody else meanwhile.
 */
export async function noteSignIn(
  { id, email, identity }: StoredOperator,
  { issuer, subject }: ProviderIdentity,
  at: Date,
): Promise<StoredOperator | null> {
  type Attributes = { id: string; issuer?: string; subject?: string; signed_in_at: string };
  const item = await changeItem<Attributes>(operatorKey(email), {
    set: { issuer, subject, signed_in_at: at.toISOString() },
    expect: { id, issuer: identity?.issuer, subject: identity?.subject },
  });
  return item && operatorOf(item);
}
