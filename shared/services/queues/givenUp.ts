import { deadLetterQueues } from '../../platform/config.ts';
import { inParallel } from '../../platform/parallel.ts';
import { remembered } from '../../platform/remembered.ts';
import { queueLength } from '../../queue/queueLength.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const oldMilliseconds = 60_000;
const atOnce = 10;

const read = remembered(oldMilliseconds, async () => {
  const queues = deadLetterQueues();
  return inParallel(atOnce, queues, async ({ name, url }) => ({ name, messages: await queueLength(url) }));
});

/** Queues that gave messages up, and how many, as it stood at most a minute ago: one call of SQS a queue. */
export async function listGivenUp(context: DeploymentContext) {
  requireOperator(context, 'read');
  return (await read())
    .filter(({ messages }) => messages > 0)
    .map(({ name, messages }) => ({ object: 'given_up' as const, queue: name, messages }));
}
