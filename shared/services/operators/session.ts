import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { operatorRoles } from '../../domain/workspace/operatorRole.ts';
import { addSeconds } from '../../platform/clock.ts';
import { sign, verify } from '../../platform/secret.ts';
import { readSessionEpoch, readStanding } from '../../store/operator/sessions.ts';
import type { OperatorActor } from '../context.ts';

/** A working day and a half; whoever has work left signs in again. */
export const sessionSeconds = 12 * 60 * 60;

const payload = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(operatorRoles),
  workspaceId: z.string().nullable(),
  /** Unix milliseconds. */
  until: z.number(),
  epoch: z.number(),
  /** Whose invitation it was made under; null for a session by a link, which says itself what it may do. */
  invitation: z.object({ id: z.string(), email: z.string() }).nullish().default(null),
});

type Payload = z.output<typeof payload>;

/** Who is signed in. */
export interface Session {
  readonly id: string;
  /** They signed in at the provider, and not by a link. */
  readonly isInvited: boolean;
  readonly actor: OperatorActor;
}

/** A signed session: it holds who it is for and is kept nowhere. */
export async function createSession(
  { name, role, workspaceId }: Pick<OperatorActor, 'name' | 'role' | 'workspaceId'>,
  now: Date,
  invitation: Payload['invitation'] = null,
): Promise<string> {
  const session: Payload = {
    id: randomBytes(16).toString('base64url'),
    name,
    role,
    workspaceId,
    until: addSeconds(now, sessionSeconds).getTime(),
    epoch: await readSessionEpoch(),
    invitation,
  };
  const text = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${text}.${await sign('console', signedSession(text))}`;
}

/** Null for what was not signed here, is over, or was ended with all others. */
export async function readSession(token: string, now: Date): Promise<Session | null> {
  const [text = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('console', signedSession(text), signature))) return null;
  const session = payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (session.until <= now.getTime()) return null;
  const granted = await grantedTo(session);
  if (!granted) return null;
  const { role, workspaceId } = granted;
  const isInvited = session.invitation !== null;
  return {
    id: session.id,
    isInvited,
    actor: { kind: 'operator', door: 'console', name: session.name, role, workspaceId },
  };
}

type Granted = Pick<OperatorActor, 'role' | 'workspaceId'>;

/** What its holder may do at this moment: a removal, and another role, hold from the next request on. */
async function grantedTo({ epoch, invitation, role, workspaceId }: Payload): Promise<Granted | null> {
  if (!invitation) return epoch === (await readSessionEpoch()) ? { role, workspaceId } : null;
  const { epoch: current, operator } = await readStanding(invitation.email);
  return epoch === current && operator?.id === invitation.id ? operator : null;
}

/** What each form carries, so that nobody else's page can send one in the name of this session. */
export const formTokenOf = ({ id }: Session): Promise<string> => sign('console', signedForm(id));

export const isFormTokenOf = ({ id }: Session, token: string): Promise<boolean> =>
  verify('console', signedForm(id), token);

/** One purpose of the key each: a session is worth nothing as a form's token. */
const signedSession = (text: string): string => `session.${text}`;
const signedForm = (id: string): string => `form.${id}`;
