import { sqs } from './sqs/client.ts';
import type { QueueAttributeName } from './sqs/operations.ts';

/** Waiting, waiting for their time, and with a worker. */
const counts: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
];

/** How many messages lie in the queue of a URL; SQS counts some seconds late. */
export async function queueLength(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.call('AmazonSQS.GetQueueAttributes', { QueueUrl, AttributeNames: counts });
  return counts.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}
