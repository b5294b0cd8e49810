import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { OperatorRole } from '../../domain/workspace/workspace.ts';
import { text } from '../../language/text.ts';
import { addSeconds } from '../../platform/clock.ts';
import { publicUrl } from '../../platform/config.ts';
import { putSignIn, takeSignIn } from '../../store/operators.ts';
import type { DeploymentContext, OperatorActor, PublicContext } from '../context.ts';
import { audited, operatorVerb } from '../operatorVerb.ts';
import { signsInAtProvider } from './providerSignIn.ts';
import { createSession } from './session.ts';

/** Enough time to send the link to a colleague who is at work. */
const linkSeconds = 15 * 60;

const byInvitation = text({
  en: 'Operators sign in at the provider: invite this person instead.',
  fr: 'Les opérateurs se connectent auprès du fournisseur : invitez plutôt cette personne.',
});

interface SignInLinkRequest {
  /** The person who will use it, for the audit log. */
  readonly name: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
}

/** A link that signs a person in to the console once, within 15 minutes. Only its hash is stored. */
export const createSignInLink = /* @__PURE__ */ operatorVerb(
  { action: 'operator.link', needs: 'platform', subject: ({ name, role }) => `${name} (${role})` },
  async ({ actor, now }: DeploymentContext, { name, role, workspaceId }: SignInLinkRequest) => {
    // A session by link is independent of the list of operators: a removed owner must not have one left over.
    const isInConsole = actor.kind === 'operator' && actor.entryPoint === 'console';
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

/** Exchanges the token of a link for a session; null for a used, expired or unknown token. */
export async function signInByLink(
  { now }: PublicContext,
  { token }: { readonly token: string },
): Promise<{ readonly token: string; readonly workspaceId: string | null } | null> {
  const signIn = await takeSignIn(hashOf(token), now);
  if (!signIn) return null;
  const { name, role, workspaceId } = signIn;
  const actor: OperatorActor = { kind: 'operator', entryPoint: 'console', name, role, workspaceId };
  const session = await audited({ actor, workspaceId, now }, { action: 'operator.sign_in', subject: null }, () =>
    createSession(actor, now),
  );
  return { token: session, workspaceId };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
