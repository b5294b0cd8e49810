import { ServiceError } from '../contract/errors.ts';
import { canonicalAddress } from '../domain/address.ts';
import { createId } from '../domain/identifier.ts';
import { addressHash, pseudonymOf } from '../domain/person/erased.ts';
import type { OperatorRole } from '../domain/workspace/workspace.ts';
import { textsOf } from '../language/text.ts';
import { putAudit, settleAudit } from '../store/audit.ts';
import { ensureSalt } from '../store/suppression/platformSuppression.ts';
import { isWorkspaceEnded } from '../store/workspace/workspaces.ts';
import type { Actor, Context, KeyActor, OperatorActor } from './context.ts';
import { endedWorkspace } from './existingWorkspace.ts';

/**
 * What a verb requires of a role: reading, changing data of a workspace, acting as an owner, or acting as an owner of
 * all workspaces (`platform`), for what they share and what protects them from one of them.
 */
export type OperatorNeed = 'read' | 'change' | 'own' | 'platform';

const rolesFor: Readonly<Record<OperatorNeed, readonly OperatorRole[]>> = {
  read: ['viewer', 'editor', 'owner'],
  change: ['editor', 'owner'],
  own: ['owner'],
  platform: ['owner'],
};

/** The authorised part of a context; without a workspace the call is about the deployment. */
interface Caller {
  readonly actor: Actor;
  readonly workspaceId?: string;
}

/** Throws `insufficient_scope` unless the actor is an operator whose role and workspace allow it. */
export function requireOperator(caller: Caller, need: OperatorNeed): void {
  if (caller.actor.kind !== 'operator') throw new ServiceError('insufficient_scope', { text: texts.onlyOperators });
  requireRole(caller, need);
}

/** For verbs that API keys call too: a key's scope was checked with its request, an operator's role is checked here. */
export function requireRole({ actor, workspaceId }: Caller, need: OperatorNeed): void {
  if (actor.kind !== 'operator') return;
  if (need === 'platform' && !mayDo(actor, need)) {
    throw new ServiceError('insufficient_scope', { text: texts.platform, details: { required: 'platform' } });
  }
  if (!mayEnter(actor, workspaceId)) throw new ServiceError('insufficient_scope', { text: texts.otherWorkspace });
  if (!mayDo(actor, need)) throw new ServiceError('insufficient_scope', { text: texts[need] });
}

/** False for another workspace than the operator's own; the deployment as a whole requires access to all workspaces. */
export const mayEnter = (actor: OperatorActor, workspaceId: string | undefined): boolean =>
  actor.workspaceId === null || actor.workspaceId === workspaceId;

/** Whether the role suffices: pages leave out what their reader may not do. */
export const mayDo = ({ role, workspaceId }: OperatorActor, need: OperatorNeed): boolean =>
  rolesFor[need].includes(role) && (need !== 'platform' || workspaceId === null);

const texts = textsOf({
  onlyOperators: { en: 'Only an operator may do this.', fr: 'Seul un opérateur peut faire cela.' },
  otherWorkspace: { en: 'Your access is for another workspace.', fr: 'Votre accès concerne un autre espace.' },
  read: { en: 'Your role may not see this.', fr: 'Votre rôle ne permet pas de voir cela.' },
  change: {
    en: 'Your role is read-only: only an editor or an owner may change this.',
    fr: 'Votre rôle est en lecture seule : seul un éditeur ou un propriétaire peut modifier cela.',
  },
  own: { en: 'Only an owner may do this.', fr: 'Seul un propriétaire peut faire cela.' },
  platform: {
    en: 'Only an owner of all workspaces may do this: ask the people who run this deployment.',
    fr: 'Seul un propriétaire de tous les espaces peut faire cela : adressez-vous aux responsables de ce déploiement.',
  },
});

interface AuditedAction<Input extends readonly unknown[]> {
  /** Its name in the audit log, such as `key.create`. */
  readonly action: string;
  readonly needs: Exclude<OperatorNeed, 'read'>;
  /** What is changed. The audit log keeps it for a year, so never a person's address: see `personSubject`. */
  readonly subject?: (...input: Input) => string | null | Promise<string | null>;
  /** A remark for the audit log. */
  readonly note?: (...input: Input) => string | undefined;
  /**
   * Whether API keys call it too: the scope that their route names was checked before and stands for the role. Frequent
   * calls of applications (`unaudited`) leave no entry in the audit log.
   */
  readonly byKeys?: 'audited' | 'unaudited';
  /** True to use the deployment's audit log, for a verb that deletes the workspace together with its log. */
  readonly ofDeployment?: true;
}

/**
 * A verb that changes something for an operator or a key: it checks the role and writes an audit entry. The entry is
 * written first and completed afterwards, so that a crash leaves an entry without an outcome, never a change without an entry.
 * A workspace that is being deleted refuses all of them. Two write units and one read unit. Calls are annotated as
 * pure, so that a bundle contains only the verbs that it uses.
 */
export function operatorVerb<Who extends Caller & { readonly now: Date }, Input extends readonly unknown[], Result>(
  { action, needs, subject, note, byKeys, ofDeployment }: AuditedAction<Input>,
  verb: (context: Who, ...input: Input) => Promise<Result>,
): OperatorVerb<Who, Input, Result> {
  const call = async (context: Who, ...input: Input): Promise<Result> => {
    const check = byKeys ? requireRole : requireOperator;
    check(context, needs);
    const { actor, now } = context;
    const isKey = actor.kind === 'key' && byKeys === 'audited';
    if (actor.kind !== 'operator' && !isKey) return verb(context, ...input);
    // A verb that deletes a workspace has its entry in the deployment's log: it alone may be repeated on a closed
    // workspace.
    if (context.workspaceId && !ofDeployment && (await isWorkspaceEnded(context.workspaceId))) throw endedWorkspace();
    const details = { action, subject: (await subject?.(...input)) ?? null, note: note?.(...input) ?? null };
    const workspaceId = ofDeployment ? null : (context.workspaceId ?? null);
    return audited({ actor, workspaceId, now }, details, () => verb(context, ...input));
  };
  return Object.assign(call, { action, needs });
}

/** A verb with its declaration, so that tests can call each. */
type OperatorVerb<Who, Input extends readonly unknown[], Result> = ((
  context: Who,
  ...input: Input
) => Promise<Result>) & {
  readonly action: string;
  readonly needs: OperatorNeed;
};

/** The actor, the time, and the log; a `workspaceId` of null is the deployment's. */
interface AuditContext {
  readonly actor: OperatorActor | KeyActor;
  readonly workspaceId: string | null;
  readonly now: Date;
}

interface AuditDetails {
  readonly action: string;
  readonly subject: string | null;
  readonly note?: string | null;
}

/** Runs `act` between the two writes of its audit entry. */
export async function audited<Result>(
  context: AuditContext,
  details: AuditDetails,
  act: () => Promise<Result>,
): Promise<Result> {
  const { workspaceId } = context;
  const id = await beginAudit(context, details);
  try {
    const result = await act();
    await settleAudit(workspaceId, id, 'done');
    return result;
  } catch (error) {
    const outcome = error instanceof ServiceError ? error.code : 'internal_error';
    // The caller needs the first error, not that of the audit log.
    await settleAudit(workspaceId, id, outcome).catch(() => {});
    throw error;
  }
}

/** Passes on the pieces of an export of personal data; the audit entry is completed after the last one. */
export async function* auditedPieces<Piece>(
  { actor, workspaceId, now }: Context,
  details: AuditDetails,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  if (actor.kind !== 'operator' && actor.kind !== 'key') {
    throw new Error('Only the actions of operators and keys are audited.');
  }
  const id = await beginAudit({ actor, workspaceId, now }, details);
  yield* pieces;
  await settleAudit(workspaceId, id, 'done');
}

async function beginAudit(
  { actor, workspaceId, now }: AuditContext,
  { action, subject, note = null }: AuditDetails,
): Promise<string> {
  const id = createId('aud', now);
  const at = now.toISOString();
  await putAudit(workspaceId, { id, at, action, subject, note, ...auditName(actor), outcome: 'begun' });
  return id;
}

/** Two keys may have one name, but hardly the same last characters. */
export const nameOfKeyActor = ({ keyName, lastFour }: KeyActor): string => `${keyName} (…${lastFour})`;

/** Who acts, as the audit log has it. */
const auditName = (actor: OperatorActor | KeyActor) =>
  actor.kind === 'key'
    ? { by: nameOfKeyActor(actor), role: 'key', door: 'api' }
    : { by: actor.name, role: actor.role, door: actor.entryPoint };

/**
 * The name of a person in the audit log: a pseudonym, so that the log can be searched for a person and contains no
 * personal data. Null for an invalid address.
 */
export async function personSubject(address: string): Promise<string | null> {
  const email = canonicalAddress(address);
  if (!email) return null;
  const salt = await ensureSalt();
  return pseudonymOf(addressHash(salt, email));
}
