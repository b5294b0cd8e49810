import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { operatorRoles } from '../../domain/workspace/operatorRole.ts';
import { addSeconds } from '../../platform/clock.ts';
import { sign, verify } from '../../platform/secret.ts';
import { readSessionEpoch } from '../../store/operator/sessions.ts';
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
});

/** Who is signed in. */
export interface Session {
  readonly id: string;
  readonly actor: OperatorActor;
}

/** A signed session: it holds who it is for and is kept nowhere. */
export async function createSession(
  { name, role, workspaceId }: Pick<OperatorActor, 'name' | 'role' | 'workspaceId'>,
  now: Date,
): Promise<string> {
  const session: z.output<typeof payload> = {
    id: randomBytes(16).toString('base64url'),
    name,
    role,
    workspaceId,
    until: addSeconds(now, sessionSeconds).getTime(),
    epoch: await readSessionEpoch(),
  };
  const text = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${text}.${await sign('console', signedSession(text))}`;
}

/** Null for what was not signed here, is over, or was ended with all others. */
export async function readSession(token: string, now: Date): Promise<Session | null> {
  const [text = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('console', signedSession(text), signature))) return null;
  const { id, name, role, workspaceId, until, epoch } = payload.parse(
    JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
  );
  if (until <= now.getTime() || epoch !== (await readSessionEpoch())) return null;
  return { id, actor: { kind: 'operator', door: 'console', name, role, workspaceId } };
}

/** What each form carries, so that nobody else's page can send one in the name of this session. */
export const formTokenOf = ({ id }: Session): Promise<string> => sign('console', signedForm(id));

export const isFormTokenOf = ({ id }: Session, token: string): Promise<boolean> =>
  verify('console', signedForm(id), token);

/** One purpose of the key each: a session is worth nothing as a form's token. */
const signedSession = (text: string): string => `session.${text}`;
const signedForm = (id: string): string => `form.${id}`;
