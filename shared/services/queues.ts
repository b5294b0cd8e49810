import { ServiceError } from '../contract/errors.ts';
import { text } from '../language/text.ts';
import {
  deadLetterQueueName,
  deadLetterQueues,
  isFeedbackQueue,
  undeliveredQueueName,
  watchedQueues,
} from '../platform/config.ts';
import { inParallel, remembered } from '../platform/parallel.ts';
import { kindOfMessage, peekDeadLetters, redriveDeadLetters } from '../queue/deadLetters.ts';
import { queueDepth, queueLength } from '../queue/sqs.ts';
import { noteRedrive } from '../store/feedbackWatermarks.ts';
import type { DeploymentContext } from './context.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

const queuesAtOnce = 10;

/** Waiting, in-flight, dead and undelivered messages of each queue. SQS's counts are some seconds old. */
export async function listQueues(context: DeploymentContext, { names }: { readonly names: readonly string[] }) {
  requireOperator(context, 'read');
  return inParallel(queuesAtOnce, names, async (name) => {
    const { waiting, delayed, inFlight, dead, undelivered } = await queueDepth(name);
    return { object: 'queue' as const, name, waiting, delayed, in_flight: inFlight, dead, undelivered };
  });
}

const rememberedMilliseconds = 60_000;

const readDeadLetterCounts = remembered(rememberedMilliseconds, async () =>
  inParallel(queuesAtOnce, deadLetterQueues(), async (name) => ({
    name,
    messages: await queueLength(deadLetterQueueName(name)),
  })),
);

/** Queues with dead letters and how many each has; a minute old at most, since each queue costs a call of SQS. */
export async function countDeadLetters(context: DeploymentContext) {
  requireOperator(context, 'read');
  return (await readDeadLetterCounts())
    .filter(({ messages }) => messages > 0)
    .map(({ name, messages }) => ({ object: 'given_up' as const, queue: name, messages }));
}

const readUndeliveredCounts = remembered(rememberedMilliseconds, async () =>
  inParallel(queuesAtOnce, watchedQueues().filter(isFeedbackQueue), async (name) => ({
    name,
    messages: await queueLength(undeliveredQueueName(name)),
  })),
);

/** Queues whose events SNS could not deliver and that the sweep moves there; a minute old at most. */
export async function countUndelivered(context: DeploymentContext) {
  requireOperator(context, 'read');
  return (await readUndeliveredCounts())
    .filter(({ messages }) => messages > 0)
    .map(({ name, messages }) => ({ object: 'undelivered' as const, queue: name, messages }));
}

/** SQS shows ten messages a call: five calls a queue at most. */
const maxInspected = 50;

/** SQS counts this time from the day on which a message first entered its queue (infra/constructs/messageQueue.ts). */
const retentionMilliseconds = 14 * 86_400_000;

/**
 * The dead letters of each queue: how many, since when, and of which kinds, without anything of their content. Nothing
 * is taken away; the messages that are read are invisible to others until their visibility timeout ends.
 */
export async function inspectDeadLetters(context: DeploymentContext) {
  requireOperator(context, 'read');
  const queues = await inParallel(queuesAtOnce, deadLetterQueues(), inspectQueue);
  return queues.filter((queue) => queue !== null);
}

async function inspectQueue(name: string) {
  const messages = await queueLength(deadLetterQueueName(name));
  if (messages === 0) return null;
  const letters = await peekDeadLetters(name, Math.min(messages, maxInspected));
  const oldest = Math.min(...letters.map(({ sentAt }) => sentAt.getTime()));
  const kinds = Map.groupBy(letters, ({ body }) => kindOfMessage(body));
  return {
    object: 'given_up' as const,
    queue: name,
    messages,
    looked: letters.length,
    oldest_at: letters.length === 0 ? null : new Date(oldest).toISOString(),
    gone_at: letters.length === 0 ? null : new Date(oldest + retentionMilliseconds).toISOString(),
    kinds: [...kinds].map(([kind, own]) => ({ kind, messages: own.length })),
  };
}

export interface ListDeadLettersInput {
  readonly name: string;
  readonly limit: number;
  /** Bodies hold personal addresses, so they are shown on request only. */
  readonly withBodies: boolean;
}

/** The dead letters of one queue; they stay where they are. */
export async function listDeadLetters(context: DeploymentContext, { name, limit, withBodies }: ListDeadLettersInput) {
  requireOperator(context, 'read');
  const letters = await peekDeadLetters(name, limit);
  return letters.map(({ id, sentAt, receives, body }) => ({
    object: 'dead_letter' as const,
    id,
    sent_at: sentAt.toISOString(),
    receives,
    bytes: Buffer.byteLength(body),
    ...(withBodies && { body }),
  }));
}

interface RedriveInput {
  readonly name: string;
  /** How long the caller can wait for the end. */
  readonly waitSeconds: number;
}

/**
 * Moves dead letters back to their queue, which all workspaces share: mail of each of them may go out. `messages` is null when
 * SQS is still moving them.
 */
export const redriveQueue = /* @__PURE__ */ operatorVerb(
  { action: 'queue.redrive', needs: 'platform', subject: ({ name }: RedriveInput) => name },
  async ({ now }: DeploymentContext, { name, waitSeconds }: RedriveInput) => {
    // During the move an event is counted in neither queue: what waits for it must not take it for lost.
    if (isFeedbackQueue(name)) await noteRedrive(name, now);
    const redrive = await redriveDeadLetters(name, waitSeconds);
    if (redrive.kind === 'refused: one is under way') throw new ServiceError('conflict', { text: alreadyRunning });
    return { object: 'queue_redrive' as const, name, messages: redrive.kind === 'moved' ? redrive.messages : null };
  },
);

const alreadyRunning = text({
  en: 'These messages are being moved back already. Wait until that has finished.',
  fr: 'Ces messages sont déjà en cours de remise. Attendez la fin de l’opération.',
});
