import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { OperatorRole } from '../../domain/workspace/operatorRole.ts';
import { inviteUser, keepsUsers } from '../../identity/users.ts';
import { textsOf } from '../../language/text.ts';
import { publicUrl } from '../../platform/config.ts';
import { listStoredOperators, putInvitation } from '../../store/operator/operators.ts';
import type { DeploymentContext } from '../context.ts';
import { signsInAtProvider } from './provider/beginSignIn.ts';
import { shownOperator } from './shown.ts';
import { operatorVerb } from './verb.ts';

export interface Invitation {
  readonly email: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
}

/** So many are read at each sign-in. */
const most = 200;

const texts = textsOf({
  address: { en: 'must be an email address', fr: 'doit être une adresse e-mail' },
  signedIn: {
    en: 'This person has signed in already: change their role, or remove them first.',
    fr: 'Cette personne s’est déjà connectée : changez son rôle, ou retirez-la d’abord.',
  },
  tooMany: {
    en: 'There are 200 operators, and that is the limit: remove somebody first.',
    fr: 'Il y a 200 opérateurs, c’est la limite : retirez d’abord quelqu’un.',
  },
});

/** An address as it is stored and compared, or what is wrong with it. */
export function operatorAddress(email: string): string {
  const address = canonicalAddress(email);
  if (!address) throw new ValidationError([{ path: 'email', text: texts.address }]);
  return address;
}

/**
 * Lets the owner of an address sign in. Where the deployment keeps its operators' accounts, one is made and its owner is
 * mailed; elsewhere the provider has it. The invitation is written first: an account alone opens nothing. To invite again
 * whoever has never signed in sends the mail again, with the role that is given now. Throws `conflict` for whoever has.
 */
export const inviteOperator = operatorVerb(
  { action: 'operator.invite', needs: 'own', subject: ({ email, role }: Invitation) => `${email} (${role})` },
  async ({ actor, now }: DeploymentContext, { email, role, workspaceId }: Invitation) => {
    const address = operatorAddress(email);
    const others = (await listStoredOperators()).filter((operator) => operator.email !== address);
    if (others.length >= most) throw new ServiceError('conflict', { text: texts.tooMany });
    const invitedBy = actor.kind === 'operator' ? actor.name : '';
    const invitation = { id: createId('opr', now), email: address, role, workspaceId, invitedBy };
    const operator = { ...invitation, invitedAt: now.toISOString(), identity: null, signedInAt: null };
    if (!(await putInvitation(operator))) throw new ServiceError('conflict', { text: texts.signedIn });
    const mailed = keepsUsers() && (await inviteUser(address)) === 'mailed';
    return { ...shownOperator(operator), mailed, sign_in_at: signsInAtProvider() ? `${publicUrl()}/console` : null };
  },
);
