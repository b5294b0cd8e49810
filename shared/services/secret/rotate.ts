import { rotateServiceSecret } from '../../platform/secretRotation.ts';
import type { DeploymentContext } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

/** Makes a new service secret; links, webhook secrets and the last pages' cursors of all earlier ones stay good. */
export const rotateSecret = operatorVerb(
  { action: 'secret.rotate', needs: 'own' },
  async (context: DeploymentContext) => {
    const kept = (await rotateServiceSecret()) - 1;
    return { object: 'service_secret' as const, rotated_at: context.now.toISOString(), earlier_secrets: kept };
  },
);
