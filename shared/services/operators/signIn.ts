import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { OperatorRole } from '../../domain/workspace/operatorRole.ts';
import { text } from '../../language/text.ts';
import { addSeconds } from '../../platform/clock.ts';
import { publicUrl } from '../../platform/config.ts';
import { putSignIn, takeSignIn } from '../../store/operator/sessions.ts';
import type { DeploymentContext, OperatorActor, PublicContext } from '../context.ts';
import { signsInAtProvider } from './provider/beginSignIn.ts';
import { createSession } from './session.ts';
import { noted, operatorVerb } from './verb.ts';

/** Long enough to send it to somebody who sits at their desk. */
const linkSeconds = 15 * 60;

const byInvitation = text({
  en: 'People sign in at the provider here: invite them.',
  fr: 'Ici, on se connecte auprès du fournisseur : invitez la personne.',
});

export interface SignInWanted {
  /** Who will use it, for the audit log. */
  readonly name: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
}

/** A link that signs somebody in to the console: once, and within a quarter of an hour. Only its hash is stored. */
export const createSignIn = operatorVerb(
  { action: 'operator.link', needs: 'own', subject: ({ name, role }) => `${name} (${role})` },
  async ({ actor, now }: DeploymentContext, { name, role, workspaceId }: SignInWanted) => {
    // Such a session asks no list of operators: an owner who is removed must not have made one for later.
    const isInConsole = actor.kind === 'operator' && actor.door === 'console';
    if (isInConsole && signsInAtProvider()) throw new ServiceError('conflict', { text: byInvitation });
    const token = randomBytes(32).toString('base64url');
    const expiresAt = addSeconds(now, linkSeconds);
    await putSignIn(hashOf(token), { name, role, workspaceId, expiresAt });
    return {
      object: 'sign_in' as const,
      url: `${publicUrl()}/console/sign-in?token=${token}`,
      name,
      role,
      workspace_id: workspaceId,
      expires_at: expiresAt.toISOString(),
    };
  },
);

/** The session that a link's token is exchanged for; null when it was used, is too old, or never was. */
export async function signIn(
  { now }: PublicContext,
  { token }: { readonly token: string },
): Promise<{ readonly token: string; readonly workspaceId: string | null } | null> {
  const found = await takeSignIn(hashOf(token), now);
  if (!found) return null;
  const { name, role, workspaceId } = found;
  const actor: OperatorActor = { kind: 'operator', door: 'console', name, role, workspaceId };
  const session = await noted({ actor, workspaceId, now }, { action: 'operator.sign_in', subject: null }, () =>
    createSession(actor, now),
  );
  return { token: session, workspaceId };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
