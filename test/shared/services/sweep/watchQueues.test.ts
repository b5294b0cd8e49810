import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { LocalQueue } from '../../../../infra/local/messaging/queueResources.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let queue: LocalQueue;
let undelivered: string;
let sweepQueues: (now: Date) => Promise<void>;
let isDrained: (queue: 'feedback' | 'campaign-feedback') => Promise<boolean>;

beforeAll(async () => {
  engines = await startQueuesAndTable();
  queue = engines.queues.feedback as LocalQueue;
  undelivered = String(queue.undelivered?.url);
  ({ sweepQueues } = await import('../../../../shared/services/sweep/watchQueues.ts'));
  ({ isDrained } = await import('../../../../shared/services/feedbackQueues.ts'));
});
afterAll(() => engines.stop());
afterEach(async () => {
  for (const QueueUrl of [queue.url, queue.deadLetter.url, undelivered]) {
    await engines.sqs.send(new PurgeQueueCommand({ QueueUrl }));
  }
  await noticesAt(0);
});

const put = (QueueUrl: string, MessageBody = '{}') =>
  engines.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

const notices = ['DeadLetters', 'EventsUndelivered', 'QueueStuck'];

/** The notices of a run at this minute of an hour, with their queues. */
async function noticesAt(minute: number): Promise<string[]> {
  const { logger } = await import('../../../../shared/platform/logger.ts');
  const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
  try {
    await sweepQueues(new Date(Date.UTC(2026, 10, 23, 12, minute)));
    const lines = error.mock.calls as unknown as [string, Record<string, unknown>][];
    return lines.map(([, { queue: name, messages, ...fields }]) => {
      return `${notices.find((notice) => notice in fields)} ${name} ${messages}`;
    });
  } finally {
    error.mockRestore();
  }
}

describe('the sweep’s look at the queues', () => {
  it('notices dead letters at every look while there are some, and looks four times an hour', async () => {
    expect(await noticesAt(0)).toEqual([]);
    await put(queue.deadLetter.url);
    expect(await noticesAt(14)).toEqual([]);
    expect(await noticesAt(15)).toEqual(['DeadLetters feedback 1']);
    expect(await noticesAt(30)).toEqual(['DeadLetters feedback 1']);
  });

  it('notices messages that wait for half an hour and do not become fewer', async () => {
    await put(queue.url);
    expect(await noticesAt(0)).toEqual([]);
    expect(await noticesAt(15)).toEqual([]);
    await put(queue.url);
    expect(await noticesAt(30)).toEqual(['QueueStuck feedback 2']);
    expect(await noticesAt(45)).toEqual(['QueueStuck feedback 2']);
  });

  it('does not call a backlog stuck that a worker reduces', async () => {
    for (let count = 0; count < 4; count += 1) await put(queue.url);
    for (const minute of [0, 15, 30, 45]) {
      expect(await noticesAt(minute)).toEqual([]);
      await engines.sqs.send(new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 1 }));
    }
  });
});

/** All bodies, read without removing them. */
async function bodiesIn(QueueUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await engines.sqs.send(command);
    if (Messages.length === 0) return bodies.sort();
    bodies.push(...Messages.map(({ Body = '' }) => Body));
  }
}

/** Everything but `Date`. */
const notFaked = [
  ...(['nextTick', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
  ...(['setInterval', 'clearInterval', 'queueMicrotask', 'performance', 'hrtime'] as const),
];

describe('events that SNS could not deliver', () => {
  it('are noticed and all moved to their queue at the next look, unchanged and once each', async () => {
    const bodies = Array.from({ length: 137 }, (_, index) => JSON.stringify({ eventType: 'Bounce', index })).sort();
    await Promise.all(bodies.map((body) => put(undelivered, body)));
    expect(await noticesAt(14)).toEqual([]);
    expect(await noticesAt(15)).toEqual(['EventsUndelivered feedback 137']);
    expect(await bodiesIn(queue.url)).toEqual(bodies);
    const command = new GetQueueAttributesCommand({ QueueUrl: undelivered, AttributeNames: ['All'] });
    const { Attributes } = await engines.sqs.send(command);
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
    expect(await noticesAt(30)).toEqual([]);
  });

  it('are not read yet for what waits for an event: not where they lie, and not soon after they were moved', async () => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 23, 13), doNotFake: notFaked });
    try {
      expect(await isDrained('feedback')).toBe(true);
      await put(undelivered);
      expect(await isDrained('feedback')).toBe(false);
      await noticesAt(90);
      await engines.sqs.send(new PurgeQueueCommand({ QueueUrl: queue.url }));
      // SQS's counts are some seconds old: for a quarter of an hour they prove nothing.
      jest.setSystemTime(Date.UTC(2026, 10, 23, 13, 44));
      expect(await isDrained('feedback')).toBe(false);
      jest.setSystemTime(Date.UTC(2026, 10, 23, 13, 45));
      expect(await isDrained('feedback')).toBe(true);
      expect(await isDrained('campaign-feedback')).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('stay where they are when their queue takes none, and are moved by the next run, a minute later', async () => {
    const { sqs } = await import('../../../../shared/queue/sqs.ts');
    const bodies = Array.from({ length: 25 }, (_, index) => `event ${index}`).sort();
    await Promise.all(bodies.map((body) => put(undelivered, body)));
    const send = sqs.send.bind(sqs) as (command: object) => Promise<unknown>;
    const refusing = jest.spyOn(sqs, 'send').mockImplementation((async (command: object) => {
      return command instanceof SendMessageBatchCommand ? { Failed: [], Successful: [] } : send(command);
    }) as unknown as typeof sqs.send);
    await expect(noticesAt(15)).rejects.toThrow('The queue took none of its messages back.');
    refusing.mockRestore();
    expect(await noticesAt(16)).toEqual([]);
    expect(await bodiesIn(queue.url)).toEqual(bodies);
    expect(await bodiesIn(undelivered)).toEqual([]);
  });
});
