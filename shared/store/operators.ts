import * as z from 'zod';
import { type OperatorRole, operatorRoles } from '../domain/workspace/workspace.ts';
import { epochSeconds } from '../platform/clock.ts';
import { readTogether } from './table/batches.ts';
import { operatorKey, operatorPrefix, sessionEpochKey, sessionKey, signInKey } from './table/keys.ts';
import { getItem, type Item, queryAll } from './table/table.ts';
import { decide } from './table/transaction.ts';
import { changeItem, deleteItem, deletePart, putItem, upsertItem } from './table/write.ts';

const operatorRecord = z.object({
  id: z.string(),
  email: z.string(),
  // A role that only a later release knows may only read.
  role: z.enum(operatorRoles).catch('viewer'),
  workspace_id: z.string().nullish().default(null),
  invited_at: z.string(),
  invited_by: z.string().default(''),
  issuer: z.string().nullish().default(null),
  subject: z.string().nullish().default(null),
  signed_in_at: z.string().nullish().default(null),
});

type OperatorRecord = Omit<z.input<typeof operatorRecord>, 'role'> & { readonly role: OperatorRole };

/** A person's identity at a provider. It never changes there, even when their address does. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person who was invited to the console. */
export interface StoredOperator {
  /** A new id after each invitation and when sessions are ended: a session belongs to one id. */
  readonly id: string;
  /** In the form in which addresses are compared. */
  readonly email: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
  /** ISO 8601 UTC. */
  readonly invitedAt: string;
  readonly invitedBy: string;
  /** Null until the first sign-in; from then on only this identity signs in as this operator. */
  readonly identity: ProviderIdentity | null;
  readonly signedInAt: string | null;
}

function operatorOf(item: Item): StoredOperator {
  const { issuer, subject, ...read } = operatorRecord.parse(item);
  return {
    id: read.id,
    email: read.email,
    role: read.role,
    workspaceId: read.workspace_id,
    invitedAt: read.invited_at,
    invitedBy: read.invited_by,
    identity: issuer !== null && subject !== null ? { issuer, subject } : null,
    signedInAt: read.signed_in_at,
  };
}

/** All operators by address, strongly consistent: one read unit for about fifteen of them. */
export async function listStoredOperators(): Promise<StoredOperator[]> {
  const { pk: partition } = operatorKey('');
  return (await queryAll({ partition, sort: { prefix: operatorPrefix }, consistency: 'strong' })).map(operatorOf);
}

type InvitedOperator = Omit<StoredOperator, 'identity' | 'signedInAt'>;

/** Stores an invitation; false when an operator with this address has signed in already, who is not replaced. */
export async function putInvitation(invitation: InvitedOperator): Promise<boolean> {
  const { id, email, role, workspaceId, invitedAt, invitedBy } = invitation;
  const invited = { id, email, role, workspace_id: workspaceId, invited_at: invitedAt, invited_by: invitedBy };
  return putItem<OperatorRecord>(operatorKey(email), invited, { if: [['subject', 'absent']] });
}

/** Null when there is no operator with this address. */
export async function changeStoredOperator(
  email: string,
  { role, workspaceId }: Pick<StoredOperator, 'role' | 'workspaceId'>,
): Promise<StoredOperator | null> {
  const set = { role, workspace_id: workspaceId };
  const item = await changeItem<OperatorRecord>(operatorKey(email), { set });
  return item && operatorOf(item);
}

/**
 * Ends an operator's sessions by a new id, which no open session has. Null when there is no operator with this address.
 */
export async function renewOperator(email: string, id: string): Promise<StoredOperator | null> {
  const item = await changeItem<OperatorRecord>(operatorKey(email), { set: { id } });
  return item && operatorOf(item);
}

/** Removes an operator and returns them; null when there is none with this address. */
export async function removeStoredOperator(email: string): Promise<StoredOperator | null> {
  const item = await getItem(operatorKey(email));
  return item && (await deleteItem(operatorKey(email))) ? operatorOf(item) : null;
}

/**
 * Records an operator's sign-in and identity. Null when they were removed or invited again meanwhile, or another
 * identity signed in first.
 */
export async function noteSignIn(
  { id, email, identity }: StoredOperator,
  { issuer, subject }: ProviderIdentity,
  at: Date,
): Promise<StoredOperator | null> {
  const item = await changeItem<OperatorRecord>(operatorKey(email), {
    set: { issuer, subject, signed_in_at: at.toISOString() },
    expect: { id, issuer: identity?.issuer, subject: identity?.subject },
  });
  return item && operatorOf(item);
}

const signInRecord = z.object({
  name: z.string(),
  role: z.enum(operatorRoles).catch('viewer'),
  workspace_id: z.string().nullish().default(null),
  expires_at: z.number(),
});

type SignInRecord = Omit<z.input<typeof signInRecord>, 'role'> & { readonly role: OperatorRole };

/** Who a sign-in link is for, and with which rights. */
export interface SignIn {
  readonly name: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
  readonly expiresAt: Date;
}

/** Stores a sign-in link under the hash of its token, never the token. */
export async function putSignIn(tokenHash: string, { name, role, workspaceId, expiresAt }: SignIn): Promise<void> {
  const signIn = { name, role, workspace_id: workspaceId, expires_at: epochSeconds(expiresAt) };
  await putItem<SignInRecord>(signInKey(tokenHash), signIn);
}

/**
 * Deletes a sign-in link and returns it: of two requests with one token only one succeeds. Null when it is used or
 * expired.
 */
export async function takeSignIn(tokenHash: string, now: Date): Promise<SignIn | null> {
  const key = signInKey(tokenHash);
  const item = await getItem(key);
  if (!item) return null;
  const { name, role, workspace_id, expires_at } = signInRecord.parse(item);
  if (expires_at <= epochSeconds(now)) return null;
  if (!(await decide(deletePart(key, { if: [['pk', 'exists']] })))) return null;
  return { name, role, workspaceId: workspace_id, expiresAt: new Date(expires_at * 1000) };
}

const sessionRecord = z.object({
  name: z.string(),
  role: z.enum(operatorRoles).catch('viewer'),
  workspace_id: z.string().nullish().default(null),
  invitation_id: z.string().nullish().default(null),
  epoch: z.number(),
  expires_at: z.number(),
});

type SessionRecord = Omit<z.input<typeof sessionRecord>, 'role'> & { readonly role: OperatorRole };

/** An open session of the console. */
export interface StoredSession {
  readonly name: string;
  /** With the workspace, the rights of a session by a link. */
  readonly role: OperatorRole;
  readonly workspaceId: string | null;
  /** The invitation of the operator who signed in; null for a session by a link. */
  readonly invitationId: string | null;
  /** The session epoch in which it was created. */
  readonly epoch: number;
  readonly expiresAt: Date;
}

function sessionOf(item: Item): StoredSession {
  const { name, role, workspace_id, invitation_id, epoch, expires_at } = sessionRecord.parse(item);
  return {
    name,
    role,
    workspaceId: workspace_id,
    invitationId: invitation_id,
    epoch,
    expiresAt: new Date(expires_at * 1000),
  };
}

/** Stores a session under the hash of its token, never the token. One write unit. */
export async function putSession(tokenHash: string, session: StoredSession): Promise<void> {
  const { name, role, workspaceId, invitationId, epoch, expiresAt } = session;
  await putItem<SessionRecord>(sessionKey(tokenHash), {
    name,
    role,
    workspace_id: workspaceId,
    invitation_id: invitationId,
    epoch,
    expires_at: epochSeconds(expiresAt),
  });
}

/** Ends a session. Idempotent. */
export async function deleteSession(tokenHash: string): Promise<void> {
  await deleteItem(sessionKey(tokenHash));
}

interface EpochRecord {
  readonly epoch: number;
}

/** How often all sessions were ended, strongly consistent: a session of an earlier epoch is over. One read unit. */
export async function readSessionEpoch(): Promise<number> {
  return Number((await getItem(sessionEpochKey))?.epoch ?? 0);
}

interface SessionState {
  /** The number above. */
  readonly epoch: number;
  readonly session: StoredSession | null;
  readonly operator: StoredOperator | null;
}

/**
 * A session with what it is checked against, strongly consistent: one call, one unit for each of two or three items.
 */
export async function readSessionState(tokenHash: string, email: string | null): Promise<SessionState> {
  const keys = [sessionEpochKey, sessionKey(tokenHash), ...(email === null ? [] : [operatorKey(email)])];
  const [sessions, session, operator] = await readTogether(keys);
  return {
    epoch: Number(sessions?.epoch ?? 0),
    session: session ? sessionOf(session) : null,
    operator: operator ? operatorOf(operator) : null,
  };
}

/** Ends all sessions. */
export async function raiseSessionEpoch(): Promise<void> {
  await upsertItem<EpochRecord>(sessionEpochKey, { add: { epoch: 1 } });
}
