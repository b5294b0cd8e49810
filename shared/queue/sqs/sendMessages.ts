import { queueUrl } from '../../platform/config.ts';
import { checkBody } from './checksum.ts';
import { sqs } from './client.ts';
import { mostMessages, type QueueMessage } from './message.ts';

interface Refusal {
  readonly Code?: string | undefined;
  readonly SenderFault?: boolean | undefined;
}

/** SQS did not take some messages of a call; the others it did. By the name of the first refusal. */
class MessagesRefused extends Error {
  override readonly name: string;
  /** To be tried again, unless SQS says that a message itself is at fault. */
  readonly $retryable: object | undefined;

  constructor(count: number, all: number, refusals: readonly Refusal[]) {
    super(`SQS did not take ${count} of ${all} messages.`);
    this.name = refusals[0]?.Code ?? 'MessagesRefused';
    this.$retryable = refusals.some(({ SenderFault }) => SenderFault) ? undefined : {};
  }
}

/** Puts messages on a queue of the deployment, ten a call; when this throws, some of them may be there. */
export async function sendMessages(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(messages.length / mostMessages) }, (_, index) =>
    sendBatch(queue, messages.slice(index * mostMessages, (index + 1) * mostMessages)),
  );
  await Promise.all(calls);
}

/** What was taken is not sent again with what was not. */
function sendBatch(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  let left = messages.map((message, index) => ({ Id: String(index), ...message }));
  return sqs.attempting(async () => {
    const batch = { QueueUrl: queueUrl(queue), Entries: left };
    const { Successful = [], Failed = [] } = await sqs.ask('AmazonSQS.SendMessageBatch', batch);
    const taken = new Map(Successful.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]));
    for (const { Id, MessageBody } of left) if (taken.has(Id)) checkBody(MessageBody, taken.get(Id));
    left = left.filter(({ Id }) => !taken.has(Id));
    if (left.length > 0) throw new MessagesRefused(left.length, messages.length, Failed);
  });
}
