import { PublishBatchCommand, type SNSClient } from '@aws-sdk/client-sns';

/** SNS takes 10 messages and 256 KB a batch (Amazon SNS quotas), envelope included. */
const batchSize = 10;
const batchBytes = 200_000;

interface PendingMessage {
  readonly message: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Publishes the messages of one turn of the event loop together; each call settles with its own message. */
export function topicPublisher(sns: SNSClient): (topicArn: string, message: string) => Promise<void> {
  const waiting = new Map<string, PendingMessage[]>();

  function flush(): void {
    for (const [topicArn, messages] of waiting) {
      for (const batch of batchesOf(messages)) void publishBatch(sns, topicArn, batch);
    }
    waiting.clear();
  }

  return (topicArn, message) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(flush);
      const entry = { message, resolve, reject };
      waiting.set(topicArn, [...(waiting.get(topicArn) ?? []), entry]);
    });
}

function batchesOf(messages: readonly PendingMessage[]): PendingMessage[][] {
  const batches: PendingMessage[][] = [];
  let bytes = 0;
  for (const entry of messages) {
    const size = Buffer.byteLength(entry.message);
    const last = batches.at(-1);
    if (last && last.length < batchSize && bytes + size <= batchBytes) {
      last.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}

async function publishBatch(sns: SNSClient, TopicArn: string, batch: readonly PendingMessage[]): Promise<void> {
  const entries = batch.map(({ message }, index) => ({ Id: String(index), Message: message }));
  try {
    const { Failed = [] } = await sns.send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: entries }));
    const failed = new Map(Failed.map(({ Id, Code, Message }) => [Number(Id), new Error(`${Code}: ${Message}`)]));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const error = failed.get(index);
      if (error) reject(error);
      else resolve();
    }
  } catch (error) {
    for (const { reject } of batch) reject(error as Error);
  }
}
