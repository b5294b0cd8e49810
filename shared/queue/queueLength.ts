import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { connection } from '../platform/aws/connection.ts';

const client = new SQSClient({ ...connection(), useQueueUrlAsEndpoint: false });

/** Waiting, waiting for their time, and with a worker. */
const counts: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
];

/** How many messages lie in the queue of a URL; SQS counts some seconds late. */
export async function queueLength(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: counts }));
  return counts.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}
