import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address.ts';
import { createId } from '../../domain/identifier.ts';
import { hashOfPseudonym, pseudonymOf } from '../../domain/person/erased.ts';
import type { OperatorRole } from '../../domain/workspace/workspace.ts';
import { deleteUser, inviteUser, keepsUsers } from '../../identity/users.ts';
import { text, textsOf } from '../../language/text.ts';
import { publicUrl } from '../../platform/config.ts';
import { type AuditEntry, pageOfAudit } from '../../store/audit.ts';
import {
  changeStoredOperator,
  listStoredOperators,
  putInvitation,
  raiseSessionEpoch,
  removeStoredOperator,
  renewOperator,
  type StoredOperator,
} from '../../store/operators.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb, requireOperator } from '../operatorVerb.ts';
import { signsInAtProvider } from './providerSignIn.ts';

export interface Invitation {
  readonly email: string;
  readonly role: OperatorRole;
  /** The only workspace that they may enter; null for all. */
  readonly workspaceId: string | null;
}

/** All of them are read at each sign-in. */
const maxOperators = 200;

const texts = textsOf({
  address: { en: 'must be an email address', fr: 'doit être une adresse e-mail' },
  signedIn: {
    en: 'This person has already signed in: change their role, or remove them first.',
    fr: 'Cette personne s’est déjà connectée : changez son rôle, ou retirez-la d’abord.',
  },
  tooMany: {
    en: `There are ${maxOperators} operators, which is the limit: remove one first.`,
    fr: `Il y a ${maxOperators} opérateurs, c’est la limite : retirez-en un d’abord.`,
  },
});

/** The canonical form of an address. Throws `validation_error`. */
function operatorAddress(email: string): string {
  const address = canonicalAddress(email);
  if (!address) throw new ValidationError([{ path: 'email', text: texts.address }]);
  return address;
}

/**
 * Lets the owner of an address sign in. If the deployment manages its operators' accounts, an account is created and its
 * owner gets a mail. The invitation is stored first, as an account without one has no access. Inviting a person again who
 * has never signed in sends the mail again and sets the new role. Throws `conflict` once they have signed in.
 */
export const inviteOperator = /* @__PURE__ */ operatorVerb(
  { action: 'operator.invite', needs: 'platform', subject: ({ email, role }: Invitation) => `${email} (${role})` },
  async ({ actor, now }: DeploymentContext, { email, role, workspaceId }: Invitation) => {
    const address = operatorAddress(email);
    const others = (await listStoredOperators()).filter((operator) => operator.email !== address);
    if (others.length >= maxOperators) throw new ServiceError('conflict', { text: texts.tooMany });
    const invitedBy = actor.kind === 'operator' ? actor.name : '';
    const invitation = { id: createId('opr', now), email: address, role, workspaceId, invitedBy };
    const operator = { ...invitation, invitedAt: now.toISOString(), identity: null, signedInAt: null };
    if (!(await putInvitation(operator))) throw new ServiceError('conflict', { text: texts.signedIn });
    const mailed = keepsUsers() && (await inviteUser(address)) === 'mailed';
    return { ...operatorJson(operator), mailed, sign_in_at: signsInAtProvider() ? `${publicUrl()}/console` : null };
  },
);

/** All invited operators, sorted by address; only for owners of the deployment. */
export async function listOperators(context: DeploymentContext) {
  requireOperator(context, 'platform');
  return (await listStoredOperators()).map(operatorJson);
}

export const noOperator = text({
  en: 'This address was not invited.',
  fr: 'Cette adresse n’a pas été invitée.',
});

/** Changes the role and the workspace, from the next request on. Throws `not_found`. */
export const changeOperator = /* @__PURE__ */ operatorVerb(
  { action: 'operator.change', needs: 'platform', subject: ({ email, role }: Invitation) => `${email} (${role})` },
  async (_context: DeploymentContext, { email, role, workspaceId }: Invitation) => {
    const operator = await changeStoredOperator(operatorAddress(email), { role, workspaceId });
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return operatorJson(operator);
  },
);

/**
 * Ends an operator's access, from the next request on, and deletes the account that the deployment manages for them. An
 * account that remains after a crash is deleted when the operator is removed again. Throws `not_found`.
 */
export const removeOperator = /* @__PURE__ */ operatorVerb(
  { action: 'operator.remove', needs: 'platform', subject: ({ email }: { readonly email: string }) => email },
  async (_context: DeploymentContext, { email }: { readonly email: string }) => {
    const address = operatorAddress(email);
    const operator = await removeStoredOperator(address);
    if (keepsUsers()) await deleteUser(operator ?? { email: address, identity: null });
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return operatorJson(operator);
  },
);

/** Ends all sessions of the console, from the next request on. */
export const signOutEverywhere = /* @__PURE__ */ operatorVerb(
  { action: 'operator.sign_out', needs: 'platform' },
  async (_context: DeploymentContext) => {
    await raiseSessionEpoch();
    return { object: 'sign_out' as const, ended: true };
  },
);

/** Ends the sessions of one invited operator, who may sign in again. Throws `not_found`. */
export const signOutOperator = /* @__PURE__ */ operatorVerb(
  { action: 'operator.sign_out', needs: 'platform', subject: ({ email }: { readonly email: string }) => email },
  async ({ now }: DeploymentContext, { email }: { readonly email: string }) => {
    const operator = await renewOperator(operatorAddress(email), createId('opr', now));
    if (!operator) throw new ServiceError('not_found', { text: noOperator });
    return { object: 'sign_out' as const, ended: true };
  },
);

/** An operator as others see them, without their identity at the provider. */
function operatorJson({ email, role, workspaceId, invitedAt, invitedBy, signedInAt }: StoredOperator) {
  return {
    object: 'operator' as const,
    email,
    role,
    workspace_id: workspaceId,
    invited_at: invitedAt,
    invited_by: invitedBy,
    signed_in_at: signedInAt,
  };
}

interface AuditQuery {
  /** Null for the log of the deployment as a whole. */
  readonly workspaceId: string | null;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Earlier releases wrote the alias of an erased person for everybody. */
function shownSubject({ subject }: Pick<AuditEntry, 'subject'>): string | null {
  const hash = subject === null ? null : hashOfPseudonym(subject);
  return hash === null ? subject : pseudonymOf(hash);
}

/** A page of the audit log, newest first, for one query. Entries are kept for a year. */
export async function listAudit({ actor }: DeploymentContext, { workspaceId, limit, after }: AuditQuery) {
  requireOperator(workspaceId === null ? { actor } : { actor, workspaceId }, 'read');
  const { entries, next } = await pageOfAudit(workspaceId, { limit, after });
  const shown = entries.map((entry) => ({ object: 'audit_entry' as const, ...entry, subject: shownSubject(entry) }));
  return { entries: shown, next };
}
