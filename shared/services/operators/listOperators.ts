import { listStoredOperators } from '../../store/operator/operators.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { shownOperator } from './shown.ts';

/** Everybody who was invited, by their addresses. For owners of everything: the list is of the deployment. */
export async function listOperators(context: DeploymentContext) {
  requireOperator(context, 'own');
  return (await listStoredOperators()).map(shownOperator);
}
