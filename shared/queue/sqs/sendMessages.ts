import { queueUrl } from '../../platform/config.ts';
import { checkBody } from './checksum.ts';
import { sqs } from './client.ts';
import { mostMessages, type QueueMessage } from './message.ts';
import { wholeBatch } from './wholeBatch.ts';

/** Puts messages on a queue of the deployment, ten a call; when this throws, some of them may be there. */
export async function sendMessages(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(messages.length / mostMessages) }, (_, index) =>
    sendBatch(queue, messages.slice(index * mostMessages, (index + 1) * mostMessages)),
  );
  await Promise.all(calls);
}

/** What was taken is not sent again with what was not. */
function sendBatch(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  return wholeBatch(messages, async (entries) => {
    const batch = { QueueUrl: queueUrl(queue), Entries: [...entries] };
    const answer = await sqs.ask('AmazonSQS.SendMessageBatch', batch);
    const taken = new Map(answer.Successful?.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]));
    for (const { Id, MessageBody } of entries) if (taken.has(Id)) checkBody(MessageBody, taken.get(Id));
    return answer;
  });
}
