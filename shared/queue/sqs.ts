import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { isThrottlingError, StandardRetryStrategy } from '@smithy/core/retry';
import { connection, requiringObjects, supervised } from '../platform/aws/clients.ts';
import { deadLetterQueueName, isFeedbackQueue, queueUrl, undeliveredQueueName } from '../platform/config.ts';
import { DeadlineExceeded, endingWithDeadline } from '../platform/deadline.ts';
import type { ConnectionPolicy } from '../platform/httpClient.ts';

/** SQS accepts and returns at most ten messages per call. */
export const maxMessages = 10;

/** SQS accepts delays of at most 15 minutes. */
export const longestDelaySeconds = 900;

/** A message to a standard queue, with SQS's field names. */
export interface QueueMessage {
  readonly MessageBody: string;
  /** Makes a standard queue fair: a group with a backlog does not delay the others. */
  readonly MessageGroupId: string;
  readonly DelaySeconds?: number;
}

/** The endpoint follows from the region or `AWS_ENDPOINT_URL`, not from a queue's URL, whose host may not resolve. */
export const sqsClient = (options: { readonly maxAttempts?: number } = {}, own: Partial<ConnectionPolicy> = {}) =>
  requiringObjects(supervised(new SQSClient({ useQueueUrlAsEndpoint: false, ...options, ...connection(own) })));

/** The client of this process; bundles that send nothing do not contain it. */
export const sqs = /* @__PURE__ */ sqsClient();

/** Sends a message to a queue of the deployment. When this throws, the message may have been sent all the same. */
export async function sendMessage(queue: string, message: QueueMessage): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), ...message }));
}

/** Sends messages to a queue of the deployment, ten per call. When this throws, some of them may have been sent. */
export async function sendMessages(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  const calls = batches(messages).map((batch) =>
    wholeBatch(batch, (Entries) => sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries }))),
  );
  await Promise.all(calls);
}

export function batches<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / maxMessages);
  return Array.from({ length: count }, (_, index) => items.slice(index * maxMessages, (index + 1) * maxMessages));
}

interface FailedEntry {
  readonly Code?: string | undefined;
  readonly SenderFault?: boolean | undefined;
}

/** SQS refused some entries of a call. The error is named after the first refusal. */
class EntriesRefused extends Error {
  override readonly name: string;

  constructor(count: number, all: number, failed: readonly FailedEntry[]) {
    super(`SQS refused ${count} of ${all} messages.`);
    this.name = failed[0]?.Code ?? 'EntriesRefused';
  }
}

type SdkError = Parameters<typeof isThrottlingError>[0];

interface BatchOutput {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined;
  readonly Failed?: readonly FailedEntry[] | undefined;
}

/** The SDK's retry strategy for calls, used here for partially failed batches. */
const rounds = /* @__PURE__ */ new StandardRetryStrategy(3);

/**
 * Sends up to ten messages, and again those that SQS reports as failed or does not mention: for SQS and its SDK a
 * partially failed call is a success.
 */
export async function wholeBatch<Message>(
  messages: readonly Message[],
  call: (entries: (Message & { readonly Id: string })[]) => Promise<BatchOutput>,
): Promise<void> {
  let left = messages.map((message, index) => ({ ...message, Id: String(index) }));
  let token = await rounds.acquireInitialRetryToken('');
  for (;;) {
    const { Successful = [], Failed = [] } = await call(left);
    const done = new Set(Successful.map(({ Id }) => Id));
    left = left.filter(({ Id }) => !done.has(Id));
    if (left.length === 0) break;
    const error = new EntriesRefused(left.length, messages.length, Failed) as SdkError;
    const isThrottled = isThrottlingError(error);
    if (!isThrottled && Failed.some(({ SenderFault }) => SenderFault)) throw error;
    const errorType = isThrottled ? 'THROTTLING' : 'TRANSIENT';
    const next = rounds.refreshRetryTokenForRetry(token, { error, errorType });
    token = await endingWithDeadline(next).catch((reason) => {
      throw reason instanceof DeadlineExceeded ? new DeadlineExceeded({ cause: error }) : error;
    });
  }
  rounds.recordSuccess(token);
}

/** The messages of a queue. SQS counts approximately, and some seconds late. */
export interface QueueDepth {
  readonly waiting: number;
  /** Waiting until their delay ends. */
  readonly delayed: number;
  /** Received by a worker and not deleted yet. */
  readonly inFlight: number;
  /** In the dead-letter queue. */
  readonly dead: number;
  /** Events that SNS could not deliver to the queue. */
  readonly undelivered: number;
}

/** The queues whose messages were meant for this one: its dead letters, and what SNS could not deliver to it. */
const queuesBehind = (queue: string): string[] => [
  deadLetterQueueName(queue),
  ...(isFeedbackQueue(queue) ? [undeliveredQueueName(queue)] : []),
];

export async function queueDepth(queue: string): Promise<QueueDepth> {
  const behind = queuesBehind(queue).map((name) => queueAttributes(queueUrl(name)));
  const [own, dead, undelivered] = await Promise.all([queueAttributes(queueUrl(queue)), ...behind]);
  const lengthOf = (counts: typeof dead) => (counts ? counts.waiting + counts.inFlight : 0);
  return {
    waiting: own.waiting,
    delayed: own.delayed,
    inFlight: own.inFlight,
    dead: lengthOf(dead),
    undelivered: lengthOf(undelivered),
  };
}

/** How many messages are in a queue: waiting, delayed and in flight. */
export async function queueLength(queue: string): Promise<number> {
  const { waiting, delayed, inFlight } = await queueAttributes(queueUrl(queue));
  return waiting + delayed + inFlight;
}

/** True when a queue and those behind it hold nothing. A message that was just sent may not be counted for minutes. */
export async function isQueueEmpty(queue: string): Promise<boolean> {
  const lengths = await Promise.all([queue, ...queuesBehind(queue)].map(queueLength));
  return lengths.every((length) => length === 0);
}

export async function queueAttributes(QueueUrl: string) {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  const { Attributes = {} } = await sqs.send(command);
  const count = (name: QueueAttributeName) => Number(Attributes[name] ?? 0);
  return {
    waiting: count('ApproximateNumberOfMessages'),
    delayed: count('ApproximateNumberOfMessagesDelayed'),
    inFlight: count('ApproximateNumberOfMessagesNotVisible'),
  };
}
