import { deadLetterQueues, queueUrl } from '../../platform/config.ts';
import { checkBody } from '../sqs/checksum.ts';
import { sqs } from '../sqs/client.ts';
import { mostMessages } from '../sqs/message.ts';
import type { Message } from '../sqs/operations.ts';
import { wholeBatch } from '../sqs/wholeBatch.ts';

/** How long a message that is looked at or moved stays hidden from others. */
const hiddenSeconds = 60;

/** What waits in a queue, roughly: SQS counts some seconds late. */
export interface QueueDepth {
  readonly waiting: number;
  /** Waiting for their time. */
  readonly delayed: number;
  /** With a worker. */
  readonly inFlight: number;
  /** Given up, in the dead-letter queue; null for a queue that has none. */
  readonly dead: number | null;
}

interface DeadLetterQueue {
  readonly url: string;
  readonly arn: string;
}

/** How a queue of the deployment stands, its dead-letter queue included. */
export async function queueDepth(queue: string): Promise<QueueDepth> {
  const own = await attributesOf(queueUrl(queue));
  return {
    waiting: own.count('ApproximateNumberOfMessages'),
    delayed: own.count('ApproximateNumberOfMessagesDelayed'),
    inFlight: own.count('ApproximateNumberOfMessagesNotVisible'),
    dead: own.redrivePolicy ? await deadCount(await deadLetterQueue(queue, own)) : null,
  };
}

async function deadCount({ url }: DeadLetterQueue): Promise<number> {
  const { count } = await attributesOf(url);
  return count('ApproximateNumberOfMessages') + count('ApproximateNumberOfMessagesNotVisible');
}

type Attributes = Awaited<ReturnType<typeof attributesOf>>;

async function attributesOf(QueueUrl: string) {
  const { Attributes = {} } = await sqs.call('AmazonSQS.GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
  return {
    arn: Attributes.QueueArn ?? '',
    redrivePolicy: Attributes.RedrivePolicy,
    count: (name: keyof typeof Attributes) => Number(Attributes[name] ?? 0),
  };
}

/** A function was told of those that it may look at; an operator's own credentials may ask which one it is. */
async function deadLetterQueue(queue: string, { redrivePolicy }: Attributes): Promise<DeadLetterQueue> {
  const told = deadLetterQueues().find(({ name }) => name === queue);
  if (told) return { url: told.url, arn: (await attributesOf(told.url)).arn };
  const arn: string = JSON.parse(redrivePolicy ?? '{}').deadLetterTargetArn ?? '';
  if (!arn) throw new Error(`The queue ${queue} has no dead-letter queue.`);
  const { QueueUrl: url = '' } = await sqs.call('AmazonSQS.GetQueueUrl', { QueueName: arn.split(':').at(-1) });
  return { url, arn };
}

export interface DeadLetter {
  readonly id: string;
  readonly sentAt: Date;
  readonly receives: number;
  readonly body: string;
}

/** Up to `limit` messages of a queue's dead-letter queue; all of them are there again when it ends. */
export async function peekDeadLetters(queue: string, limit: number): Promise<DeadLetter[]> {
  const { url } = await deadLetterQueue(queue, await attributesOf(queueUrl(queue)));
  const messages: Message[] = [];
  try {
    while (messages.length < limit) {
      const more = await receive(url, limit - messages.length);
      if (more.length === 0) break;
      messages.push(...more);
    }
  } finally {
    await showAgain(url, messages);
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

async function receive(QueueUrl: string, most: number): Promise<Message[]> {
  const { Messages = [] } = await sqs.call('AmazonSQS.ReceiveMessage', {
    QueueUrl,
    MaxNumberOfMessages: Math.min(most, mostMessages),
    VisibilityTimeout: hiddenSeconds,
    // A second, so that SQS asks all of its servers (long polling): a short poll may miss what is there.
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  for (const { Body, MD5OfBody } of Messages) checkBody(Body, MD5OfBody);
  return Messages;
}

/** With which of them it was not done matters to nobody: those are seen again when their minute is over. */
async function showAgain(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (const part of batches(messages)) {
    const Entries = part.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    await sqs.call('AmazonSQS.ChangeMessageVisibilityBatch', { QueueUrl, Entries });
  }
}

function batches<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / mostMessages);
  return Array.from({ length: count }, (_, index) => items.slice(index * mostMessages, (index + 1) * mostMessages));
}

/** How a redrive goes on: AWS moves in the background, once at a time; an engine without that was helped by hand. */
export type Redrive =
  | { readonly kind: 'started' }
  | { readonly kind: 'running' }
  | { readonly kind: 'moved'; readonly messages: number };

/** Puts what was given up back on its queue, to be worked on again from the first receive. */
export async function redriveDeadLetters(queue: string): Promise<Redrive> {
  const target = queueUrl(queue);
  const dead = await deadLetterQueue(queue, await attributesOf(target));
  try {
    await sqs.call('AmazonSQS.StartMessageMoveTask', { SourceArn: dead.arn });
    return { kind: 'started' };
  } catch (error) {
    const { name, message } = error as Error;
    // One task a queue at a time (SQS API Reference, StartMessageMoveTask).
    if (name === 'UnsupportedOperation' && message.includes('already')) return { kind: 'running' };
    if (name !== 'InvalidAction') throw error;
    return { kind: 'moved', messages: await moveByHand(dead.url, target) };
  }
}

/**
 * Sent first and deleted then: whoever dies in between leaves a message in both queues, and every worker takes a message
 * twice. No more than were there at the start, so that what fails again is not moved in circles.
 */
async function moveByHand(from: string, to: string): Promise<number> {
  let left = (await attributesOf(from)).count('ApproximateNumberOfMessages');
  let moved = 0;
  while (left > 0) {
    const messages = await receive(from, left);
    if (messages.length === 0) break;
    moved += await moveBatch(from, to, messages);
    left -= messages.length;
  }
  return moved;
}

async function moveBatch(from: string, to: string, messages: readonly Message[]): Promise<number> {
  const { Successful = [] } = await sqs.call('AmazonSQS.SendMessageBatch', {
    QueueUrl: to,
    Entries: messages.map(({ Body, MessageAttributes, Attributes }, index) => ({
      Id: String(index),
      MessageBody: Body,
      ...(MessageAttributes && { MessageAttributes }),
      ...(Attributes?.MessageGroupId && { MessageGroupId: Attributes.MessageGroupId }),
    })),
  });
  for (const { Id, MD5OfMessageBody } of Successful) checkBody(messages[Number(Id)]?.Body, MD5OfMessageBody);
  const taken = messages.filter((_, index) => Successful.some(({ Id }) => Id === String(index)));
  // First of all: one that stays is in both queues, and is moved a second time.
  await deleteAll(from, taken);
  await showAgain(
    from,
    messages.filter((message) => !taken.includes(message)),
  );
  if (taken.length === 0) throw new Error('The queue took none of its messages back.');
  return taken.length;
}

async function deleteAll(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  await wholeBatch(
    messages.map(({ ReceiptHandle }) => ({ ReceiptHandle })),
    (entries) => sqs.ask('AmazonSQS.DeleteMessageBatch', { QueueUrl, Entries: [...entries] }),
  );
}
