import { setTimeout as wait } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import {
  deadLetterQueueName,
  type FeedbackQueue,
  queueArn,
  queueUrl,
  undeliveredQueueName,
} from '../platform/config.ts';
import { logger } from '../platform/logger.ts';
import { inParallel } from '../platform/parallel.ts';
import { batches, maxMessages, queueAttributes, sqs, wholeBatch } from './sqs.ts';

/** How long a message that is read or moved is invisible to other receivers. */
const hiddenSeconds = 60;

export interface DeadLetter {
  readonly id: string;
  readonly sentAt: Date;
  readonly receives: number;
  readonly body: string;
}

/** Reads up to `limit` messages of a dead-letter queue; all of them become visible again at the end. */
export async function peekDeadLetters(queue: string, limit: number): Promise<DeadLetter[]> {
  const url = queueUrl(deadLetterQueueName(queue));
  const messages: Message[] = [];
  try {
    while (messages.length < limit) {
      const more = await receive(url, limit - messages.length);
      if (more.length === 0) break;
      messages.push(...more);
    }
  } finally {
    await makeVisible(url, messages);
  }
  return messages.map(deadLetter);
}

function deadLetter({ MessageId = '', Body = '', Attributes = {} }: Message): DeadLetter {
  return {
    id: MessageId,
    sentAt: new Date(Number(Attributes.SentTimestamp)),
    receives: Number(Attributes.ApproximateReceiveCount ?? 0),
    body: Body,
  };
}

/** The fields by which messages name their kind: ours by `kind`, those of SES by `eventType`. */
const kinds = [
  ...['confirmation', 'data', 'sign_up', 'send', 'attempt', 'release', 'erase', 'run', 'fire', 'job'],
  ...['event', 'change', 'wake', 'mail', 'jobs', 'recount'],
  ...['Send', 'Delivery', 'Bounce', 'Complaint', 'Open', 'Click', 'Reject', 'DeliveryDelay', 'Rendering Failure'],
] as const;

const kindFields = z.object({ kind: z.string().optional(), eventType: z.string().optional() });

/** The kind of a message, without personal data; `other` for an unknown kind. */
export function kindOfMessage(body: string): string {
  try {
    const { kind, eventType } = kindFields.parse(JSON.parse(body));
    return kinds.find((one) => one === (kind ?? eventType)) ?? 'other';
  } catch {
    return 'other';
  }
}

async function receive(QueueUrl: string, most: number): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: Math.min(most, maxMessages),
    VisibilityTimeout: hiddenSeconds,
    // With a wait of a second SQS queries all of its servers (long polling); a short poll may miss messages.
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const { Messages = [] } = await sqs.send(command);
  return Messages;
}

/** Entries that fail need no retry: they become visible after their visibility timeout. */
async function makeVisible(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (const batch of batches(messages)) {
    const Entries = batch.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
  }
}

/** The result of a redrive: all messages are moved, or SQS continues in the background. */
export type Redrive =
  | { readonly kind: 'moved'; readonly messages: number }
  | { readonly kind: 'going on' }
  /** SQS allows one task per queue (SQS API Reference, StartMessageMoveTask). */
  | { readonly kind: 'refused: one is under way' };

/**
 * Moves the dead letters of a queue back to it, where receives are counted from one again. SQS does this in the
 * background; this waits for the end as long as it may. With an engine that has no such tasks, the messages are moved
 * here.
 */
export async function redriveDeadLetters(queue: string, waitSeconds: number): Promise<Redrive> {
  const dead = deadLetterQueueName(queue);
  const SourceArn = queueArn(dead);
  try {
    // Without a destination SQS looks for the source queue of each message, and has none for messages of SNS.
    const command = new StartMessageMoveTaskCommand({ SourceArn, DestinationArn: queueArn(queue) });
    const { TaskHandle } = await sqs.send(command);
    return await endOfTask(SourceArn, TaskHandle, waitSeconds);
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'UnsupportedOperation' && message.includes('already')) return { kind: 'refused: one is under way' };
    if (name !== 'InvalidAction') throw error;
    return { kind: 'moved', messages: await moveByHand(queueUrl(dead), queueUrl(queue)) };
  }
}

async function endOfTask(SourceArn: string, handle: string | undefined, waitSeconds: number): Promise<Redrive> {
  for (let seconds = 0; seconds <= waitSeconds; seconds += 1) {
    const answer = await sqs
      .send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 10 }))
      .catch((error: Error) => error);
    // The task has begun and goes on in SQS. An error would say that nothing was moved.
    if (answer instanceof Error) {
      logger.warn('SQS did not say how far it has moved the dead letters.', answer);
      return { kind: 'going on' };
    }
    const { Results = [] } = answer;
    // SQS returns the handle of running tasks only; the newest task comes first.
    const task = Results.find(({ TaskHandle }) => TaskHandle === handle) ?? Results[0];
    const { Status, ApproximateNumberOfMessagesMoved: messages = 0, FailureReason } = task ?? {};
    if (Status === 'COMPLETED') return { kind: 'moved', messages };
    if (Status === 'FAILED' || Status === 'CANCELLED') {
      throw new Error(
        `SQS ended the move after ${messages} messages: ${FailureReason ?? Status}. The others are still dead letters.`,
      );
    }
    await wait(1000);
  }
  return { kind: 'going on' };
}

/** A mover waits for SQS most of the time. */
const moversOfEvents = 8;

/** Moves the events that SNS could not deliver to their queue while there is time. Answers how many. */
export const moveUndelivered = (queue: FeedbackQueue, isTimeLeft: () => boolean): Promise<number> =>
  moveByHand(queueUrl(undeliveredQueueName(queue)), queueUrl(queue), { movers: moversOfEvents, isTimeLeft });

/**
 * Sends first, then deletes: a crash in between leaves a message in both queues, and every worker accepts a message
 * twice. Moves no more messages than there were at the start, so that those that fail again are not moved in circles.
 */
async function moveByHand(
  from: string,
  to: string,
  { movers = 1, isTimeLeft = (): boolean => true } = {},
): Promise<number> {
  let { waiting: left } = await queueAttributes(from);
  let moved = 0;
  const move = async () => {
    while (left > 0 && isTimeLeft()) {
      const messages = await receive(from, left);
      if (messages.length === 0) break;
      left -= messages.length;
      // In two steps: `moved += await …` would add to the count from before the wait.
      const count = await moveBatch(from, to, messages);
      moved += count;
    }
  };
  await inParallel(movers, Array.from({ length: movers }), move);
  return moved;
}

async function moveBatch(from: string, to: string, messages: readonly Message[]): Promise<number> {
  const command = new SendMessageBatchCommand({
    QueueUrl: to,
    Entries: messages.map(({ Body, MessageAttributes, Attributes }, index) => ({
      Id: String(index),
      MessageBody: Body,
      ...(MessageAttributes && { MessageAttributes }),
      ...(Attributes?.MessageGroupId && { MessageGroupId: Attributes.MessageGroupId }),
    })),
  });
  const { Successful = [] } = await sqs.send(command);
  const sent = messages.filter((_, index) => Successful.some(({ Id }) => Id === String(index)));
  const refused = messages.filter((message) => !sent.includes(message));
  // Deletion comes first: a message that remains in both queues is moved again.
  await deleteAll(from, sent);
  await makeVisible(from, refused);
  if (sent.length === 0) throw new Error('The queue took none of its messages back.');
  return sent.length;
}

async function deleteAll(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const handles = messages.map(({ ReceiptHandle }) => ({ ReceiptHandle }));
  await wholeBatch(handles, (Entries) => sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })));
}
