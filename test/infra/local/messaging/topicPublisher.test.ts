import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startMessaging } from '../../../../infra/local/messaging/messaging.ts';
import { topicPublisher } from '../../../../infra/local/messaging/topicPublisher.ts';
import { temporaryFolder } from '../processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());
const defaults = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

describe('topicPublisher', () => {
  it('publishes all messages of a turn, and rejects each call with its own failure', async () => {
    const engine = await startMessaging({ dataDir: folder.path });
    const sns = new SNSClient({ ...defaults, endpoint: engine.endpoint });
    const sqs = new SQSClient({ ...defaults, endpoint: engine.endpoint });
    try {
      const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'events' }));
      const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'events' }));
      await sns.send(
        new SubscribeCommand({
          TopicArn,
          Protocol: 'sqs',
          Endpoint: 'arn:aws:sqs:us-east-1:000000000000:events',
          Attributes: { RawMessageDelivery: 'true' },
        }),
      );
      const publish = topicPublisher(sns);
      const bodies = Array.from({ length: 23 }, (_, index) => `${index}-${'x'.repeat(30_000)}`);
      const lost = publish(`${TopicArn}-missing`, 'nobody').catch((error: Error) => error);
      await Promise.all(bodies.map((body) => publish(TopicArn, body)));
      expect(await lost).toBeInstanceOf(Error);
      const received = new Set<string>();
      while (received.size < bodies.length) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 2 }),
        );
        if (Messages.length === 0) break;
        for (const { Body = '' } of Messages) received.add(Body);
      }
      expect([...received].sort()).toEqual([...bodies].sort());
    } finally {
      sns.destroy();
      sqs.destroy();
      await engine.stop();
    }
  });
});
