import { deadLetterQueues } from '../../platform/config.ts';
import { inParallel } from '../../platform/parallel.ts';
import { peekDeadLetters } from '../../queue/dead/deadLetters.ts';
import { kindOfMessage } from '../../queue/dead/messageKind.ts';
import { queueLength } from '../../queue/queueLength.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const atOnce = 10;
/** Of a queue with more of them the first that come are looked at: five calls of SQS at most. */
const mostLooked = 50;

/** SQS keeps what was given up for so long from the day on which it was first put on its queue (infra/constructs/queues/messageQueue.ts). */
const keptMilliseconds = 14 * 86_400_000;

/**
 * What was given up, queue by queue, as it stands now: how many, since when, and what they are, without a word of whom
 * they are about. Nothing is taken away; what is looked at is hidden from others for a moment.
 */
export async function inspectGivenUp(context: DeploymentContext) {
  requireOperator(context, 'read');
  const queues = await inParallel(atOnce, deadLetterQueues(), inspect);
  return queues.filter((queue) => queue !== null);
}

async function inspect({ name, url }: { readonly name: string; readonly url: string }) {
  const messages = await queueLength(url);
  if (messages === 0) return null;
  const letters = await peekDeadLetters(name, Math.min(messages, mostLooked));
  const oldest = Math.min(...letters.map(({ sentAt }) => sentAt.getTime()));
  const kinds = Map.groupBy(letters, ({ body }) => kindOfMessage(body));
  return {
    object: 'given_up' as const,
    queue: name,
    messages,
    looked: letters.length,
    oldest_at: letters.length === 0 ? null : new Date(oldest).toISOString(),
    gone_at: letters.length === 0 ? null : new Date(oldest + keptMilliseconds).toISOString(),
    kinds: [...kinds].map(([kind, own]) => ({ kind, messages: own.length })),
  };
}
