import { createHash } from 'node:crypto';
import {
  DeleteMessageBatchCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Engine } from '../../../infra/local/engine/engine.ts';
import { queueVariables } from '../../../infra/local/engines/engineEnvironment.ts';
import { startMessaging } from '../../../infra/local/messaging/messaging.ts';
import { ensureQueues, type LocalQueue } from '../../../infra/local/messaging/queueResources.ts';
import { temporaryFolder } from '../../infra/local/processes.ts';
import { type Fate, startProxy } from './sqsProxy.ts';

const name = 'webhook-delivery';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let sqs: SQSClient;
let queue: LocalQueue;
let feedback: LocalQueue;
let fate: (operation: string, body: string) => Fate = () => undefined;
let verbs: typeof import('../../../shared/queue/deadLetters.ts');
let queueDepth: typeof import('../../../shared/queue/sqs.ts').queueDepth;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startMessaging({ dataDir: folder.path });
  proxy = await startProxy(engine.endpoint, (operation, body) => fate(operation, body));
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: proxy.endpoint,
  });
  sqs = new SQSClient({ endpoint: engine.endpoint });
  const queues = await ensureQueues(sqs, 'test');
  queue = queues[name] as LocalQueue;
  feedback = queues.feedback as LocalQueue;
  Object.assign(process.env, queueVariables([queue]));
  verbs = await import('../../../shared/queue/deadLetters.ts');
  ({ queueDepth } = await import('../../../shared/queue/sqs.ts'));
});
afterAll(async () => {
  sqs.destroy();
  await proxy.stop();
  await engine.stop();
  await folder.remove();
});
beforeEach(() => {
  fate = () => undefined;
});
afterEach(async () => {
  for (const QueueUrl of [queue.url, queue.deadLetter.url]) await sqs.send(new PurgeQueueCommand({ QueueUrl }));
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `message ${index}`);

async function giveUp(bodies: readonly string[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += 10) {
    const Entries = bodies.slice(start, start + 10).map((MessageBody, index) => ({
      Id: String(index),
      MessageBody,
      MessageAttributes: {
        of: { DataType: 'String', StringValue: MessageBody },
        bytes: { DataType: 'Binary', BinaryValue: Buffer.from(MessageBody) },
      },
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: queue.deadLetter.url, Entries }));
  }
}

async function takeAll(QueueUrl: string) {
  const all = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await sqs.send(command);
    if (Messages.length === 0) return all;
    all.push(...Messages);
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

const bodiesOf = async (url: string) => (await takeAll(url)).map(({ Body }) => Body).sort();

describe('looking at dead letters', () => {
  it('counts them apart from what waits, and leaves them all where they are', async () => {
    await giveUp(numbers(25));
    expect(await queueDepth(name)).toEqual({ waiting: 0, delayed: 0, inFlight: 0, dead: 25, undelivered: 0 });
    const seen = await verbs.peekDeadLetters(name, 23);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(23);
    expect(seen[0]).toMatchObject({ id: expect.any(String), sentAt: expect.any(Date), receives: 1 });
    expect(await bodiesOf(queue.deadLetter.url)).toEqual(numbers(25).sort());
  });

  it('puts back what it had when it fails in between', async () => {
    await giveUp(numbers(25));
    let receives = 0;
    fate = (operation) => {
      if (operation === 'ReceiveMessage') receives += 1;
      return operation === 'ReceiveMessage' && receives > 1 ? refused : undefined;
    };
    await expect(verbs.peekDeadLetters(name, 25)).rejects.toThrow('no');
    expect(await bodiesOf(queue.deadLetter.url)).toEqual(numbers(25).sort());
  });
});

const failed = (index: number) => ({ Id: String(index), Code: 'InternalError', SenderFault: false });

/** Nothing of a call was done, and the call itself has succeeded. */
const notDone = (count: number): Fate => ({
  status: 200,
  body: { Successful: [], Failed: Array.from({ length: count }, (_, index) => failed(index)) },
});

const refused = { status: 400, body: { __type: 'com.amazonaws.sqs#AccessDeniedException', message: 'no' } };

it('takes no message for a dead letter whose text is another than SQS says', async () => {
  const body = { Messages: [{ MessageId: 'm', ReceiptHandle: 'r', Body: 'other', MD5OfBody: 'a'.repeat(32) }] };
  fate = (operation) => (operation === 'ReceiveMessage' ? { status: 200, body } : undefined);
  await expect(verbs.peekDeadLetters(name, 1)).rejects.toThrow('Invalid MD5 checksum on messages: m');
});

describe('a redrive', () => {
  it('moves every dead letter back once, attributes included', async () => {
    await giveUp(numbers(25));
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'moved', messages: 25 });
    expect((await queueDepth(name)).dead).toBe(0);
    const back = await takeAll(queue.url);
    expect(back.map(({ Body }) => Body).sort()).toEqual(numbers(25).sort());
    for (const { Body = '', MessageAttributes } of back) {
      expect(MessageAttributes?.of?.StringValue).toBe(Body);
      expect(Buffer.from(MessageAttributes?.bytes?.BinaryValue ?? [])).toEqual(Buffer.from(Body));
    }
  });

  it('loses nothing when it dies between sending and deleting', async () => {
    await giveUp(numbers(12));
    fate = (operation) => (operation === 'DeleteMessageBatch' ? 'broken' : undefined);
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow();
    expect(await queueDepth(name)).toMatchObject({ waiting: 10, dead: 12 });
  });

  it('deletes again what SQS has not deleted, and reports it when that fails too', async () => {
    await giveUp(numbers(12));
    let deletions = 0;
    fate = (operation) => {
      if (operation === 'DeleteMessageBatch') deletions += 1;
      return operation === 'DeleteMessageBatch' && deletions === 1 ? notDone(10) : undefined;
    };
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'moved', messages: 12 });
    expect(deletions).toBe(3);
    expect(await queueDepth(name)).toMatchObject({ waiting: 12, dead: 0 });
    await giveUp(numbers(2));
    fate = (operation) => (operation === 'DeleteMessageBatch' ? notDone(2) : undefined);
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow('SQS refused 2 of 2 messages.');
    expect((await queueDepth(name)).dead).toBe(2);
  });

  it('deletes and counts those alone that the queue has taken', async () => {
    await giveUp(['same', 'same', 'same']);
    const [MD5OfMessageBody, Failed] = [createHash('md5').update('same').digest('hex'), [failed(1)]];
    const Successful = ['0', '2'].map((Id) => ({ Id, MessageId: Id, MD5OfMessageBody }));
    fate = (operation) =>
      operation === 'SendMessageBatch' ? { status: 200, body: { Successful, Failed } } : undefined;
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'moved', messages: 2 });
    expect(await bodiesOf(queue.deadLetter.url)).toEqual(['same']);
  });

  it('leaves its messages in sight when the queue takes none of them', async () => {
    await giveUp(numbers(3));
    fate = (operation) => (operation === 'SendMessageBatch' ? notDone(3) : undefined);
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow('took none of its messages back');
    expect(await queueDepth(name)).toMatchObject({ waiting: 0, dead: 3 });
    expect(await bodiesOf(queue.deadLetter.url)).toEqual(numbers(3));
  });

  it('loses nothing when the queue does not take it', async () => {
    await giveUp(numbers(12));
    fate = (operation) => (operation === 'SendMessageBatch' ? refused : undefined);
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow('no');
    expect(await queueDepth(name)).toMatchObject({ waiting: 0, dead: 12 });
  });

  /** A task that SQS starts, and what it says of it when it is asked. */
  const taskOf = (...states: readonly object[]) => {
    const asked: { operation: string; body: string }[] = [];
    fate = (operation, body) => {
      asked.push({ operation, body });
      if (operation === 'StartMessageMoveTask') return { status: 200, body: { TaskHandle: 'task' } };
      if (operation !== 'ListMessageMoveTasks') return undefined;
      const looks = asked.filter((one) => one.operation === operation).length;
      return { status: 200, body: { Results: [states[Math.min(looks, states.length) - 1]] } };
    };
    return asked;
  };

  it('is left to SQS where SQS moves messages itself: to the queue by name, and waited for', async () => {
    await giveUp(numbers(3));
    const asked = taskOf(
      { TaskHandle: 'task', Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 },
      { Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 },
    );
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'moved', messages: 3 });
    expect(asked.map(({ operation }) => operation)).toEqual([
      'StartMessageMoveTask',
      'ListMessageMoveTasks',
      'ListMessageMoveTasks',
    ]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      SourceArn: queue.deadLetter.arn,
      DestinationArn: queue.arn,
    });
  });

  it('goes on without its caller when it takes longer than the caller may wait', async () => {
    taskOf({ TaskHandle: 'task', Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 });
    expect(await verbs.redriveDeadLetters(name, 0)).toEqual({ kind: 'going on' });
  });

  it('goes on, and is not reported as failed, when SQS does not say how far it is', async () => {
    fate = (operation) => {
      if (operation === 'StartMessageMoveTask') return { status: 200, body: { TaskHandle: 'task' } };
      return operation === 'ListMessageMoveTasks' ? refused : undefined;
    };
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'going on' });
  });

  it('says how far SQS came and why, when SQS ends it', async () => {
    taskOf({ Status: 'FAILED', ApproximateNumberOfMessagesMoved: 1, FailureReason: 'AccessDenied' });
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow('after 1 messages: AccessDenied');
  });

  it('is one at a time: SQS says that it moves them already', async () => {
    await giveUp(numbers(3));
    const body = {
      __type: 'com.amazonaws.sqs#UnsupportedOperation',
      message:
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
    };
    fate = (operation) => (operation === 'StartMessageMoveTask' ? { status: 400, body } : undefined);
    expect(await verbs.redriveDeadLetters(name, 3)).toEqual({ kind: 'refused: one is under way' });
    expect(await queueDepth(name)).toMatchObject({ waiting: 0, dead: 3 });
  });

  it('does not go on by hand when SQS refuses it', async () => {
    await giveUp(numbers(3));
    fate = (operation) => (operation === 'StartMessageMoveTask' ? refused : undefined);
    await expect(verbs.redriveDeadLetters(name, 3)).rejects.toThrow('no');
    expect(await queueDepth(name)).toMatchObject({ waiting: 0, dead: 3 });
  });
});

describe('moving what SNS could not deliver', () => {
  it('ends when there is no time left, with every event in one of the two queues', async () => {
    const { undelivered, url } = feedback;
    const own = String(undelivered?.url);
    const bodies = numbers(100);
    for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl: own, MessageBody }));
    const looks = [true, true, true];
    expect(await verbs.moveUndelivered('feedback', () => looks.pop() ?? false)).toBe(30);
    expect(await queueDepth('feedback')).toMatchObject({ waiting: 30, undelivered: 70 });
    expect(await verbs.moveUndelivered('feedback', () => true)).toBe(70);
    expect(await bodiesOf(url)).toEqual(bodies.sort());
    expect(await bodiesOf(own)).toEqual([]);
  });
});
