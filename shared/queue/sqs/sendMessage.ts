import { queueUrl } from '../../platform/config.ts';
import { checkBody } from './checksum.ts';
import { sqs } from './client.ts';
import type { QueueMessage } from './message.ts';

/** Puts a message on a queue of the deployment; when this throws, it may be there all the same. */
export async function sendMessage(queue: string, message: QueueMessage): Promise<void> {
  const { MD5OfMessageBody } = await sqs.call('AmazonSQS.SendMessage', { QueueUrl: queueUrl(queue), ...message });
  checkBody(message.MessageBody, MD5OfMessageBody);
}
