import { inParallel } from '../../platform/parallel.ts';
import { queueDepth } from '../../queue/dead/deadLetters.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const parallel = 5;

/** How many messages wait, are worked on and were given up, queue by queue; SQS counts some seconds late. */
export async function listQueues(context: DeploymentContext, { names }: { readonly names: readonly string[] }) {
  requireOperator(context, 'read');
  return inParallel(parallel, names, async (name) => {
    const { waiting, delayed, inFlight, dead } = await queueDepth(name);
    return { object: 'queue' as const, name, waiting, delayed, in_flight: inFlight, dead };
  });
}
