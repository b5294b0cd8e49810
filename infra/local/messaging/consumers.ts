import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSEvent } from 'aws-lambda';
import { type Deadline, underDeadline } from '../../../shared/platform/deadline.ts';
import { batches, maxMessages, sqs, sqsClient, wholeBatch } from '../../../shared/queue/sqs.ts';
import type { QueueDefinition } from '../../resources.ts';
import { lambdaContext } from '../lambdaContext.ts';
import { failedMessages, retryDelaySeconds, sqsEvent } from './internal/queueBatch.ts';

/** Longer windows save function calls, which cost nothing here; a short one still batches a burst. */
const longestWindowMilliseconds = 50;
/** SQS's longest wait of an empty receive. */
const pollSeconds = 20;
const pollMilliseconds = pollSeconds * 1000 + 5000;
const pauseMilliseconds = 1000;

/** Answers an SQSBatchResponse, or nothing when all messages succeeded. */
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<unknown>;

export interface ConsumerOptions {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly definition: Omit<QueueDefinition, 'needs'>;
  readonly handler: QueueHandler;
  /** Nothing is received while true: with a full disk messages would only use up their attempts. */
  readonly isPaused?: () => boolean;
  readonly logger?: Pick<Console, 'error'>;
}

export interface Consumer {
  /** Of its queue. */
  readonly name: string;
  /** `handled`: messages so far. `putOff`: ids of messages that failed and come back when they are visible again. */
  progress(): { readonly isRunning: boolean; readonly handled: number; readonly putOff: ReadonlySet<string> };
  stop(): Promise<void>;
}

/**
 * Runs a Lambda SQS handler as Lambda's event source mapping does: batches, at most `maxConcurrency` of them at once,
 * the successful messages deleted, the failed ones left on the queue until it moves them to its dead-letter queue.
 * A handler that throws or exceeds `workerTimeoutSeconds` fails its whole batch; unlike on Lambda, it cannot be stopped.
 *
 * Two waits are shorter than on AWS: the batch window is 50 ms, and a failed message comes back after 1, 2, 4… and at
 * most 30 seconds instead of the queue's visibility timeout. `stop` resolves when all received messages are handled.
 */
export function consumeQueue(options: ConsumerOptions): Consumer {
  const { definition, logger = console } = options;
  const running = new Set<Promise<void>>();
  const putOff = new Set<string>();
  let handled = 0;
  const stopping = new AbortController();
  const polls = sqsClient({ maxAttempts: 1 }, { answering: pollMilliseconds });
  /** Stopping the consumer ends its poll in flight. */
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
    for (const { MessageId = '' } of messages) putOff.delete(MessageId);
    const work = processBatch(options, messages, logger)
      .then((later) => {
        for (const { MessageId = '' } of later) putOff.add(MessageId);
      })
      .finally(() => {
        handled += messages.length;
        running.delete(work);
      });
    running.add(work);
  }

  const polling = poll();
  return {
    name: definition.name,
    progress: () => ({ isRunning: running.size > 0, handled, putOff }),
    stop: async () => {
      stopping.abort();
      await polling;
      polls.destroy();
      await Promise.all(running);
    },
  };
}

/** Waits for a first message, then for the batch window, and receives what has arrived by then. */
async function gather(options: ConsumerOptions, polls: SQSClient): Promise<Message[]> {
  const { batchSize, batchWindowSeconds } = options.definition;
  const messages = await receive(options, polls, batchSize, pollSeconds);
  const window = Math.min(batchWindowSeconds * 1000, longestWindowMilliseconds);
  if (messages.length === 0 || messages.length >= batchSize || window === 0) return messages;
  if (messages.length < maxMessages) await sleep(window);
  let hasMore = true;
  while (hasMore && messages.length < batchSize) {
    const asked = Math.min(batchSize - messages.length, maxMessages);
    // A failure must not lose the messages received before.
    const more = await receive(options, polls, asked, 0).catch(() => []);
    messages.push(...more);
    hasMore = more.length === asked;
  }
  return messages;
}

async function receive(
  { queueUrl }: ConsumerOptions,
  polls: SQSClient,
  limit: number,
  waitSeconds: number,
): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(limit, maxMessages),
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const { Messages = [] } = await polls.send(command);
  return Messages;
}

/** Answers the messages that were put off. */
async function processBatch(
  options: ConsumerOptions,
  messages: Message[],
  logger: Pick<Console, 'error'>,
): Promise<readonly Message[]> {
  const failed = await handle(options, messages).catch((error) => {
    logger.error(`The worker ${options.definition.worker} failed a batch of ${messages.length}:`, error);
    return messages;
  });
  const succeeded = messages.filter((message) => !failed.includes(message));
  await Promise.all([remove(options, succeeded), retryLater(options, failed)]).catch((error) => {
    logger.error(`The queue ${options.definition.name} could not be told the outcome of a batch:`, error);
  });
  return failed;
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

async function remove({ queueUrl: QueueUrl }: ConsumerOptions, messages: readonly Message[]): Promise<void> {
  for (const batch of batches(messages)) {
    const handles = batch.map(({ ReceiptHandle }) => ({ ReceiptHandle }));
    await wholeBatch(handles, (Entries) => sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })));
  }
}

async function retryLater({ queueUrl: QueueUrl }: ConsumerOptions, messages: readonly Message[]): Promise<void> {
  for (const batch of batches(messages)) {
    const delayed = batch.map((message) => ({
      ReceiptHandle: message.ReceiptHandle,
      VisibilityTimeout: retryDelaySeconds(message),
    }));
    await wholeBatch(delayed, (Entries) => sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })));
  }
}
