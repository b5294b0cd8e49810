import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Engine } from '../../../../infra/local/engine/engine.ts';
import type { QueueHandler } from '../../../../infra/local/messaging/consumers.ts';
import { startMessaging } from '../../../../infra/local/messaging/messaging.ts';
import type { QueueDefinition } from '../../../../infra/resources.ts';
import { startProxy } from '../../../shared/queue/sqsProxy.ts';
import { sqsClient } from '../clients.ts';
import { temporaryFolder, until } from '../processes.ts';

const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:000000000000:${queue}`;
const definition: Omit<QueueDefinition, 'needs'> = {
  name: 'work',
  worker: 'work',
  batchSize: 10,
  batchWindowSeconds: 1,
  workerTimeoutSeconds: 30,
  maxReceives: 2,
  maxConcurrency: 2,
};
const silent = { error: () => {} };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let sqs: SQSClient;
let queueUrl: string;
let queueArn: string;
let deadLetterUrl: string;
let consumer: { stop(): Promise<void> } | undefined;
let consumeQueue: typeof import('../../../../infra/local/messaging/consumers.ts')['consumeQueue'];

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startMessaging({ dataDir: folder.path });
  sqs = sqsClient(engine.endpoint);
  // The environment of the handlers.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: engine.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  ({ consumeQueue } = await import('../../../../infra/local/messaging/consumers.ts'));
});
beforeEach(async () => {
  const [queue, dead] = [randomUUID(), randomUUID()];
  queueArn = arnOf(queue);
  deadLetterUrl = (await sqs.send(new CreateQueueCommand({ QueueName: dead }))).QueueUrl ?? '';
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(dead), maxReceiveCount: definition.maxReceives });
  const created = await sqs.send(new CreateQueueCommand({ QueueName: queue, Attributes: { RedrivePolicy } }));
  queueUrl = created.QueueUrl ?? '';
});
afterEach(async () => {
  await consumer?.stop();
  consumer = undefined;
});
afterAll(async () => {
  sqs.destroy();
  await engine.stop();
  await folder.remove();
});

function consume(handler: QueueHandler, changes: Partial<QueueDefinition> = {}): void {
  consumer = consumeQueue({
    queueUrl,
    queueArn,
    definition: { ...definition, ...changes },
    handler,
    logger: silent,
  });
}

async function send(...bodies: string[]): Promise<void> {
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
}

/** Messages on the queue, visible or in flight. */
async function messagesLeft(): Promise<number> {
  const answer = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = answer.Attributes ?? {};
  return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
}

describe('consumeQueue', () => {
  it('passes SQS records and a Lambda context, and deletes successful messages', async () => {
    const calls: { event: SQSEvent; context: Context; remaining: number }[] = [];
    consume(async (event, context) => {
      calls.push({ event, context, remaining: context.getRemainingTimeInMillis() });
    });
    const sent = await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: '{"a":1}',
        MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
      }),
    );
    await until('the handler is called', () => calls.length === 1);
    const [call] = calls;
    expect(call?.event.Records).toEqual([
      {
        messageId: sent.MessageId,
        receiptHandle: expect.any(String),
        body: '{"a":1}',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
        },
        messageAttributes: {
          kind: { dataType: 'String', stringValue: 'test', stringListValues: [], binaryListValues: [] },
        },
        md5OfBody: sent.MD5OfMessageBody,
        md5OfMessageAttributes: sent.MD5OfMessageAttributes,
        eventSource: 'aws:sqs',
        eventSourceARN: queueArn,
        awsRegion: 'us-east-1',
      },
    ]);
    expect(call?.context.functionName).toBe('work');
    expect(call?.context.awsRequestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(call?.remaining).toBeGreaterThan(0);
    expect(call?.remaining).toBeLessThanOrEqual(30_000);
    await until('the message is deleted', async () => (await messagesLeft()) === 0);
  });

  it('gathers a burst into batches of batchSize at most', async () => {
    const sizes: number[] = [];
    await send('1', '2', '3', '4', '5', '6', '7');
    consume(
      async (event) => {
        sizes.push(event.Records.length);
      },
      { batchSize: 3 },
    );
    await until('all are handled', async () => (await messagesLeft()) === 0);
    expect(sizes.sort()).toEqual([1, 3, 3]);
  });

  it('fills a batch that is larger than one receive', async () => {
    const sizes: number[] = [];
    await send('1', '2', '3', '4', '5', '6', '7', '8', '9', '10');
    await send('11', '12', '13', '14', '15');
    consume(
      async (event) => {
        sizes.push(event.Records.length);
      },
      { batchSize: 15, batchWindowSeconds: 60 },
    );
    await until('all are handled', async () => (await messagesLeft()) === 0);
    expect(sizes).toEqual([15]);
  });

  it('redelivers only failed messages, and counts their receives', async () => {
    const seen: SQSRecord[] = [];
    consume(async (event) => {
      seen.push(...event.Records);
      const failed = event.Records.filter(
        ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
      );
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await send('good', 'bad', 'better');
    await until('the failed one came back', () => seen.length === 4);
    await until('nothing is left', async () => (await messagesLeft()) === 0);
    expect(seen.map(({ body }) => body)).toEqual(['good', 'bad', 'better', 'bad']);
    expect(seen[3]?.attributes.ApproximateReceiveCount).toBe('2');
  });

  it('moves a message to the dead-letter queue after maxReceives failures', async () => {
    let calls = 0;
    consume(async () => {
      calls += 1;
      throw new Error('never');
    });
    await send('poison');
    await until('it is in the dead-letter queue', async () => {
      const answer = await sqs.send(new ReceiveMessageCommand({ QueueUrl: deadLetterUrl, VisibilityTimeout: 1 }));
      return answer.Messages?.[0]?.Body === 'poison';
    });
    expect(calls).toBe(definition.maxReceives);
    expect(await messagesLeft()).toBe(0);
  });

  it('fails the batch of a handler that exceeds its time limit', async () => {
    let calls = 0;
    consume(
      async () => {
        calls += 1;
        if (calls === 1) await sleep(3000, undefined, { ref: false });
      },
      { workerTimeoutSeconds: 1 },
    );
    await send('slow');
    await until('it is tried again', () => calls === 2);
    await until('it is deleted', async () => (await messagesLeft()) === 0);
  });

  it('runs at most maxConcurrency batches at once', async () => {
    let running = 0;
    let most = 0;
    await send('1', '2', '3', '4', '5', '6');
    consume(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await until('another batch runs, or has', () => most > 1);
        await sleep(50);
        running -= 1;
      },
      { batchSize: 1, batchWindowSeconds: 0 },
    );
    await until('all are handled', async () => (await messagesLeft()) === 0);
    expect(most).toBe(2);
  });

  it('receives nothing after it is stopped', async () => {
    const first: string[] = [];
    consume(async (event) => {
      first.push(...event.Records.map(({ body }) => body));
    });
    await send('one');
    await until('the first is deleted', async () => first.length === 1 && (await messagesLeft()) === 0);
    await consumer?.stop();
    // The engine notices the closed connection of the last poll.
    await sleep(100);
    await send('two');
    const answer = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 5, MessageSystemAttributeNames: ['All'] }),
    );
    expect(answer.Messages?.map(({ Body }) => Body)).toEqual(['two']);
    expect(answer.Messages?.[0]?.Attributes?.ApproximateReceiveCount).toBe('1');
    expect(first).toEqual(['one']);
  });

  it('finishes what it has received before it stops', async () => {
    let finished = false;
    let begun = false;
    consume(async () => {
      begun = true;
      await sleep(200);
      finished = true;
    });
    await send('last');
    await until('the handler has begun', () => begun);
    await consumer?.stop();
    expect(finished).toBe(true);
    expect(await messagesLeft()).toBe(0);
  });

  it('receives nothing while it finishes its work in order to stop', async () => {
    let begun = 0;
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    consume(
      async () => {
        begun += 1;
        await mayEnd;
      },
      { batchSize: 1, batchWindowSeconds: 0, maxConcurrency: 1 },
    );
    await send('first', 'second');
    await until('the handler has begun', () => begun === 1);
    const stopped = consumer?.stop();
    end();
    await soon(stopped);
    const answer = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 5, MessageSystemAttributeNames: ['All'] }),
    );
    expect(answer.Messages?.map(({ Attributes }) => Attributes?.ApproximateReceiveCount)).toEqual(['1']);
    expect(begun).toBe(1);
  });

  it('stops before its first poll is answered', async () => {
    consume(async () => {});
    await soon(consumer?.stop());
  });

  it('passes no message that arrived damaged', async () => {
    const damaged = { MessageId: 'm', ReceiptHandle: 'r', Body: 'damaged', MD5OfBody: 'a'.repeat(32) };
    const proxy = await startProxy(engine.endpoint, (operation) =>
      operation === 'ReceiveMessage' ? { status: 200, body: { Messages: [damaged] } } : undefined,
    );
    process.env.AWS_ENDPOINT_URL_SQS = proxy.endpoint;
    const [errors, bodies] = [[] as string[], [] as string[]];
    consumer = consumeQueue({
      queueUrl,
      queueArn,
      definition,
      handler: async ({ Records }) => bodies.push(...Records.map(({ body }) => body)),
      logger: { error: (...words: unknown[]) => errors.push(words.join(' ')) },
    });
    try {
      await until('it is logged', () => errors.some((error) => error.includes('did not answer')));
      expect(bodies).toEqual([]);
    } finally {
      process.env.AWS_ENDPOINT_URL_SQS = engine.endpoint;
      await consumer.stop();
      await proxy.stop();
    }
  });

  it('logs when the queue refuses the outcome of messages', async () => {
    const errors: string[] = [];
    consumer = consumeQueue({
      queueUrl,
      queueArn,
      definition,
      handler: async ({ Records: [record] }) => {
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: record?.receiptHandle }));
        throw new Error('It is gone, and is to come back.');
      },
      logger: { error: (...words: unknown[]) => errors.push(words.join(' ')) },
    });
    await send('orphan');
    await until('it is logged', () => errors.some((error) => error.includes('SQS refused 1 of 1 messages')));
  });
});

/** Shorter than an empty poll of 20 seconds. */
async function soon(what: Promise<void> | undefined): Promise<void> {
  const tooLate = sleep(15_000, 'too late', { ref: false });
  expect(await Promise.race([what, tooLate])).toBeUndefined();
}
