import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { addSeconds } from '../../platform/clock.ts';
import { sign, verify } from '../../platform/secret.ts';
import { deleteSession, putSession, readSessionEpoch, readSessionState } from '../../store/operators.ts';
import type { OperatorActor } from '../context.ts';

/** Longer than a working day. */
export const sessionSeconds = 12 * 60 * 60;

/**
 * The content of the cookie. Rights and expiry are those of the stored session; with `email`, both are read by one
 * call.
 */
const payload = z.object({
  id: z.string(),
  /** The address of an invited operator; null for a session by a link. */
  email: z.string().nullable(),
});

/** The operator who is signed in. */
export interface Session {
  /** The hash of its token, under which it is stored. */
  readonly id: string;
  /** True after a sign-in at the provider, false after one by a link. */
  readonly isInvited: boolean;
  readonly actor: OperatorActor;
}

/**
 * Stores a session and returns its token. Only a hash of the token is stored: reading the table gives no token, writing
 * it gives no signature, and a token that was signed with another secret has no session.
 */
export async function createSession(
  { name, role, workspaceId }: Pick<OperatorActor, 'name' | 'role' | 'workspaceId'>,
  now: Date,
  invitation: { readonly id: string; readonly email: string } | null = null,
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const epoch = await readSessionEpoch();
  const expiresAt = addSeconds(now, sessionSeconds);
  const named: z.input<typeof payload> = { id, email: invitation?.email ?? null };
  const text = Buffer.from(JSON.stringify(named)).toString('base64url');
  const token = `${text}.${await sign('console', signedSession(text))}`;
  await putSession(hashOf(token), { name, role, workspaceId, epoch, expiresAt, invitationId: invitation?.id ?? null });
  return token;
}

/**
 * Null for a wrong signature, an expired session, or one that was ended. The role and the workspace of an invited
 * operator are their current ones: a removal or a change of role applies from the next request on.
 */
export async function readSession(token: string, now: Date): Promise<Session | null> {
  const [text = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('console', signedSession(text), signature))) return null;
  const { email } = payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  const id = hashOf(token);
  const { epoch, session, operator } = await readSessionState(id, email);
  if (!session || session.expiresAt <= now || session.epoch !== epoch) return null;
  const isInvited = session.invitationId !== null;
  const granted = isInvited ? operator : session;
  if (!granted || (isInvited && operator?.id !== session.invitationId)) return null;
  const { role, workspaceId } = granted;
  return { id, isInvited, actor: { kind: 'operator', entryPoint: 'console', name: session.name, role, workspaceId } };
}

/** Ends a session from the next request on: copies of its cookie are worthless then. */
export const endSession = ({ id }: Session): Promise<void> => deleteSession(id);

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The token that every form contains, against cross-site request forgery. */
export const formTokenOf = ({ id }: Session): Promise<string> => sign('console', signedForm(id));

export const isFormTokenOf = ({ id }: Session, token: string): Promise<boolean> =>
  verify('console', signedForm(id), token);

/** The prefixes separate the uses of the key: a session is never valid as a form token. */
const signedSession = (text: string): string => `session.${text}`;
const signedForm = (id: string): string => `form.${id}`;
