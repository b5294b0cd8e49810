import type { SuppressionReason } from '../../domain/person/suppression.ts';
import type { DeploymentContext } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';
import { suppress } from './suppress.ts';

/** Blocks an address (canonical form) for every workspace. */
export const addToPlatform = operatorVerb(
  { action: 'platform_suppression.add', needs: 'own', subject: ({ email }) => personSubject(email) },
  async (
    context: DeploymentContext,
    { email, reason }: { readonly email: string; readonly reason: SuppressionReason },
  ) => {
    await suppress(null, email, reason, context.now);
    return { object: 'suppression' as const, email, reason, scope: 'platform' as const };
  },
);
