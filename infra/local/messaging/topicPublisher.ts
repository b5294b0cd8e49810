import { PublishBatchCommand, type SNSClient } from '@aws-sdk/client-sns';

/** SNS takes 10 messages and 256 KB a batch (Amazon SNS quotas); room is left for the envelope. */
const batchSize = 10;
const batchBytes = 200_000;

interface Waiting {
  readonly message: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Publishes what is asked for in one turn of the event loop together; each call hears of its own message. */
export function topicPublisher(sns: SNSClient): (topicArn: string, message: string) => Promise<void> {
  const waiting = new Map<string, Waiting[]>();

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

function batchesOf(messages: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
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

async function publishBatch(sns: SNSClient, TopicArn: string, batch: readonly Waiting[]): Promise<void> {
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
