import { rotateServiceSecret } from '../../platform/secretRotation.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** Makes a new service secret; links, webhook secrets and the last pages' cursors of all earlier ones stay good. */
export async function rotateSecret(context: DeploymentContext) {
  requireOperator(context);
  const kept = (await rotateServiceSecret()) - 1;
  return { object: 'service_secret' as const, rotated_at: context.now.toISOString(), earlier_secrets: kept };
}
