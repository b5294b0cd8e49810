import { deadLettersUrl, queueUrl } from '../platform/config.ts';
import { queueLength } from './queueLength.ts';

/**
 * Whether nothing lies in a queue, nor among what it gave up. SQS counts some seconds late: a message that was sent a
 * moment ago may not be counted yet, so whoever asks allows for minutes.
 */
export async function isQueueEmpty(queue: string): Promise<boolean> {
  const lengths = await Promise.all([queueUrl(queue), deadLettersUrl(queue)].map(queueLength));
  return lengths.every((length) => length === 0);
}
