import { ServiceError } from '../contract/errors.ts';
import type { OperatorRole } from '../domain/workspace/operatorRole.ts';
import { text } from '../language/text.ts';
import type { Actor, OperatorActor } from './context.ts';

/** What a verb does, as far as an operator's role is concerned. */
export type OperatorNeed = 'read' | 'change' | 'own';

const enough: Readonly<Record<OperatorNeed, readonly OperatorRole[]>> = {
  read: ['viewer', 'editor', 'owner'],
  change: ['editor', 'owner'],
  own: ['owner'],
};

/** Whom a verb is about; without a workspace it is about the deployment. */
interface Asked {
  readonly actor: Actor;
  readonly workspaceId?: string;
}

/** Throws for everybody but an operator whose role, and whose workspace, lets them. */
export function requireOperator(asked: Asked, need: OperatorNeed): void {
  if (asked.actor.kind !== 'operator') throw new ServiceError('insufficient_scope', { text: onlyOperators });
  requireRole(asked, need);
}

/** For verbs that keys call too: a key was held against its scope, an operator is against their role. */
export function requireRole({ actor, workspaceId }: Asked, need: OperatorNeed): void {
  if (actor.kind !== 'operator') return;
  if (!mayEnter(actor, workspaceId)) throw new ServiceError('insufficient_scope', { text: elsewhere });
  if (!mayDo(actor, need)) throw new ServiceError('insufficient_scope', { text: refusals[need] });
}

/** False for an operator of another workspace; the deployment as a whole is for those of all workspaces. */
export const mayEnter = (actor: OperatorActor, workspaceId: string | undefined): boolean =>
  actor.workspaceId === null || actor.workspaceId === workspaceId;

/** Whether a role is enough: a page leaves out what its reader may not do. */
export const mayDo = ({ role }: OperatorActor, need: OperatorNeed): boolean => enough[need].includes(role);

const onlyOperators = text({
  en: 'Only the operator may do this.',
  fr: 'Seul l’exploitant peut faire cela.',
});
const elsewhere = text({
  en: 'Your access is for another workspace.',
  fr: 'Votre accès concerne un autre espace.',
});
const refusals: Readonly<Record<OperatorNeed, ReturnType<typeof text>>> = {
  read: text({ en: 'Your role may not see this.', fr: 'Votre rôle ne permet pas de voir cela.' }),
  change: text({
    en: 'You may look, and change nothing: this takes an editor or an owner.',
    fr: 'Vous pouvez regarder sans rien changer : il faut être éditeur ou propriétaire.',
  }),
  own: text({ en: 'Only an owner may do this.', fr: 'Seul un propriétaire peut faire cela.' }),
};
