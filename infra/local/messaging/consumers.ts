import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, SQSEvent } from 'aws-lambda';
import { type Deadline, underDeadline } from '../../../shared/platform/deadline.ts';
import { checkBody } from '../../../shared/queue/sqs/checksum.ts';
import { SqsClient, sqs } from '../../../shared/queue/sqs/client.ts';
import { mostMessages } from '../../../shared/queue/sqs/message.ts';
import type { Message } from '../../../shared/queue/sqs/operations.ts';
import { wholeBatch } from '../../../shared/queue/sqs/wholeBatch.ts';
import type { QueueDefinition } from '../../resources.ts';
import { lambdaContext } from '../context.ts';
import { failedMessages, retryDelaySeconds, sqsEvent } from './queueBatch.ts';

/** A longer batch window saves calls of a function, which cost nothing here; a short one still gathers a burst. */
const longestWindowMilliseconds = 50;
/** The longest that SQS holds an empty answer back. */
const pollSeconds = 20;
const pollMilliseconds = pollSeconds * 1000 + 5000;
const pauseMilliseconds = 1000;

/** Answers an SQSBatchResponse, or nothing when every message succeeded. */
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<unknown>;

export interface ConsumerOptions {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly definition: Omit<QueueDefinition, 'needs'>;
  readonly handler: QueueHandler;
  /** While it is true nothing is received: what would fail for want of a disk does not use up its attempts. */
  readonly isPaused?: () => boolean;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * Runs a Lambda SQS handler as Lambda's event source mapping does: batches, at most `maxConcurrency` of them at once,
 * the successful messages deleted, the failed ones left on the queue until it moves them to its dead-letter queue.
 * A handler that throws or takes longer than `workerTimeoutSeconds` fails its whole batch; unlike on Lambda, a late one
 * cannot be ended and runs on.
 *
 * Two waits are shorter than on AWS: the batch window is 50 ms, and a failed message comes back after 1, 2, 4… and at
 * most 30 seconds instead of the queue's visibility timeout. `stop` resolves when what was received is dealt with.
 */
export function consumeQueue(options: ConsumerOptions): { stop(): Promise<void> } {
  const { definition, logger = console } = options;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const polls = new SqsClient({ answering: pollMilliseconds });
  /** A poll that is under way ends when the consumer is stopped, and none begins after that. */
  const life: Deadline = {
    signal: stopping.signal,
    remainingMilliseconds: () => (stopping.signal.aborted ? 0 : Infinity),
  };

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (options.isPaused?.()) {
        await sleep(pauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
        continue;
      }
      if (running.size >= definition.maxConcurrency) await Promise.race(running);
      const messages = await underDeadline(life, () => gather(options, polls)).catch(async (error) => {
        if (stopping.signal.aborted) return [];
        logger.error(`The queue ${definition.name} did not answer, next attempt in a second:`, error);
        await sleep(1000, undefined, { signal: stopping.signal }).catch(() => {});
        return [];
      });
      if (messages.length > 0) start(messages);
    }
  }

  function start(messages: Message[]): void {
    const work = processBatch(options, messages, logger).finally(() => running.delete(work));
    running.add(work);
  }

  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      polls.destroy();
      await Promise.all(running);
    },
  };
}

/** Waits for a first message, then for the batch window, and takes what has come in by then. */
async function gather(options: ConsumerOptions, polls: SqsClient): Promise<Message[]> {
  const { batchSize, batchWindowSeconds } = options.definition;
  const messages = await receive(options, polls, batchSize, pollSeconds);
  const window = Math.min(batchWindowSeconds * 1000, longestWindowMilliseconds);
  if (messages.length === 0 || messages.length >= batchSize || window === 0) return messages;
  if (messages.length < mostMessages) await sleep(window);
  let hasMore = true;
  while (hasMore && messages.length < batchSize) {
    const asked = Math.min(batchSize - messages.length, mostMessages);
    // What has been received must not be lost with a second call that fails.
    const more = await receive(options, polls, asked, 0).catch(() => []);
    messages.push(...more);
    hasMore = more.length === asked;
  }
  return messages;
}

async function receive(
  { queueUrl }: ConsumerOptions,
  polls: SqsClient,
  limit: number,
  waitSeconds: number,
): Promise<Message[]> {
  const answer = await polls.ask('AmazonSQS.ReceiveMessage', {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(limit, mostMessages),
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const messages = answer.Messages ?? [];
  for (const { Body, MD5OfBody } of messages) checkBody(Body, MD5OfBody);
  return messages;
}

async function processBatch(options: ConsumerOptions, messages: Message[], logger: Pick<Console, 'error'>) {
  const failed = await handle(options, messages).catch((error) => {
    logger.error(`The worker ${options.definition.worker} failed a batch of ${messages.length}:`, error);
    return messages;
  });
  const succeeded = messages.filter((message) => !failed.includes(message));
  await Promise.all([remove(options, succeeded), retryLater(options, failed)]).catch((error) => {
    logger.error(`The queue ${options.definition.name} did not take what became of a batch:`, error);
  });
}

async function handle(options: ConsumerOptions, messages: Message[]): Promise<readonly Message[]> {
  const { worker, workerTimeoutSeconds } = options.definition;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const expire = () => reject(new Error(`Task timed out after ${workerTimeoutSeconds} seconds.`));
  const timer = setTimeout(expire, workerTimeoutSeconds * 1000);
  const work = async () =>
    options.handler(sqsEvent(messages, options.queueArn), lambdaContext(worker, workerTimeoutSeconds));
  try {
    return failedMessages(messages, await Promise.race([work(), tooLate]));
  } finally {
    clearTimeout(timer);
  }
}

async function remove({ queueUrl }: ConsumerOptions, messages: readonly Message[]): Promise<void> {
  for (let start = 0; start < messages.length; start += mostMessages) {
    const batch = messages.slice(start, start + mostMessages).map(({ ReceiptHandle }) => ({ ReceiptHandle }));
    await wholeBatch(batch, (Entries) =>
      sqs.ask('AmazonSQS.DeleteMessageBatch', { QueueUrl: queueUrl, Entries: [...Entries] }),
    );
  }
}

async function retryLater({ queueUrl }: ConsumerOptions, messages: readonly Message[]): Promise<void> {
  for (let start = 0; start < messages.length; start += mostMessages) {
    const batch = messages
      .slice(start, start + mostMessages)
      .map((message) => ({ ReceiptHandle: message.ReceiptHandle, VisibilityTimeout: retryDelaySeconds(message) }));
    await wholeBatch(batch, (Entries) =>
      sqs.ask('AmazonSQS.ChangeMessageVisibilityBatch', { QueueUrl: queueUrl, Entries: [...Entries] }),
    );
  }
}
