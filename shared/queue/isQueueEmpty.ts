import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { connection } from '../platform/aws/connection.ts';
import { deadLettersUrl, queueUrl } from '../platform/config.ts';

const client = new SQSClient({ ...connection(), useQueueUrlAsEndpoint: false });

/** Waiting, waiting for their time, and with a worker. */
const counts: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
];

/**
 * Whether nothing lies in a queue, nor among what it gave up. SQS counts some seconds late: a message that was sent a
 * moment ago may not be counted yet, so whoever asks allows for minutes.
 */
export async function isQueueEmpty(queue: string): Promise<boolean> {
  const lengths = await Promise.all([queueUrl(queue), deadLettersUrl(queue)].map(lengthOf));
  return lengths.every((length) => length === 0);
}

async function lengthOf(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: counts }));
  return counts.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}
