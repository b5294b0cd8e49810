import { listWorkspaces as read } from '../../store/workspace/workspaces.ts';
import type { DeploymentContext } from '../context.ts';
import { mayEnter, requireOperator } from '../requireOperator.ts';

/** The workspaces that an operator may enter. */
export async function listWorkspaces({ actor }: DeploymentContext) {
  const own = actor.kind === 'operator' ? actor.workspaceId : null;
  requireOperator(own === null ? { actor } : { actor, workspaceId: own }, 'read');
  return (await read())
    .filter(({ id }) => actor.kind === 'operator' && mayEnter(actor, id))
    .map(({ id, name }) => ({ object: 'workspace' as const, id, name }));
}
