import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { Engine } from '../../../../infra/local/engine/engine.ts';
import { queueVariables } from '../../../../infra/local/engines/engineEnvironment.ts';
import { startMessaging } from '../../../../infra/local/messaging/messaging.ts';
import { ensureQueues, type LocalQueue } from '../../../../infra/local/messaging/queueResources.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let sqs: SQSClient;
let queue: LocalQueue;
let sweepQueues: (now: Date) => Promise<void>;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startMessaging({ dataDir: folder.path });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: engine.endpoint,
  });
  sqs = new SQSClient({ endpoint: engine.endpoint });
  const queues = await ensureQueues(sqs, 'test');
  queue = queues.feedback as LocalQueue;
  Object.assign(process.env, queueVariables(Object.values(queues)));
  ({ sweepQueues } = await import('../../../../shared/services/sweep/watchQueues.ts'));
});
afterAll(async () => {
  sqs.destroy();
  await engine.stop();
  await folder.remove();
});
afterEach(async () => {
  for (const QueueUrl of [queue.url, queue.deadLetter.url]) await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  await noticesAt(0);
});

const put = (QueueUrl: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));

/** The notices of a run at this minute of an hour, with their queues. */
async function noticesAt(minute: number): Promise<string[]> {
  const { logger } = await import('../../../../shared/platform/logger.ts');
  const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
  try {
    await sweepQueues(new Date(Date.UTC(2026, 10, 23, 12, minute)));
    const lines = error.mock.calls as unknown as [string, Record<string, unknown>][];
    return lines.map(([, { queue: name, messages, DeadLetters }]) => {
      return `${DeadLetters ? 'DeadLetters' : 'QueueStuck'} ${name} ${messages}`;
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
      await sqs.send(new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 1 }));
    }
  });
});
