import type { SuppressionReason } from '../../domain/person/suppression.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { suppress } from './suppress.ts';

/** Blocks an address (canonical form) for every workspace. */
export async function addToPlatform(
  context: DeploymentContext,
  { email, reason }: { readonly email: string; readonly reason: SuppressionReason },
) {
  requireOperator(context);
  await suppress(null, email, reason, context.now);
  return { object: 'suppression' as const, email, reason, scope: 'platform' as const };
}
