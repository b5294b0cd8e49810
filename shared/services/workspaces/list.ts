import { listWorkspaces as read } from '../../store/workspace/workspaces.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** Every workspace of the deployment. */
export async function listWorkspaces(context: DeploymentContext) {
  requireOperator(context);
  return (await read()).map(({ id, name }) => ({ object: 'workspace' as const, id, name }));
}
