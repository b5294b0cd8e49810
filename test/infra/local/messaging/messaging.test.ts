import { CreateTopicCommand, PublishCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { startMessaging } from '../../../../infra/local/messaging/messaging.ts';
import { snsClient, sqsClient } from '../clients.ts';
import { kill, killChildren, startChild, temporaryFolder } from '../processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  killChildren();
  await folder.remove();
});

async function receiveOne(endpoint: string, QueueUrl: string) {
  const answer = await sqsClient(endpoint).send(
    new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 2, MessageSystemAttributeNames: ['All'] }),
  );
  return answer.Messages?.[0];
}

describe('startMessaging', () => {
  it('has queue URLs with the current port', async () => {
    const first = await startMessaging({ dataDir: folder.path });
    const created = await sqsClient(first.endpoint).send(new CreateQueueCommand({ QueueName: 'orders' }));
    expect(created.QueueUrl).toBe(`${first.endpoint}/000000000000/orders`);
    await first.stop();
    const port = Number(new URL(first.endpoint).port);
    const occupant = await startMessaging({ dataDir: `${folder.path}/other`, port });
    const second = await startMessaging({ dataDir: folder.path });
    expect(second.endpoint).not.toBe(first.endpoint);
    const found = await sqsClient(second.endpoint).send(new GetQueueUrlCommand({ QueueName: 'orders' }));
    expect(found.QueueUrl).toBe(`${second.endpoint}/000000000000/orders`);
    await Promise.all([second.stop(), occupant.stop()]);
  });

  it('makes messages in flight visible at once after a kill, and counts that receive', async () => {
    const { child, firstLine } = await startChild(`
      import { startMessaging } from './infra/local/messaging/messaging.ts';
      const engine = await startMessaging({ dataDir: ${JSON.stringify(folder.path)} });
      console.log(engine.endpoint);
    `);
    const { QueueUrl = '' } = await sqsClient(firstLine).send(new CreateQueueCommand({ QueueName: 'orders' }));
    await sqsClient(firstLine).send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
    expect((await receiveOne(firstLine, QueueUrl))?.Body).toBe('kept');
    await kill(child, 'SIGKILL');
    const engine = await startMessaging({ dataDir: folder.path });
    const again = await receiveOne(engine.endpoint, QueueUrl);
    expect(again?.Body).toBe('kept');
    expect(again?.Attributes?.ApproximateReceiveCount).toBe('2');
    await engine.stop();
  });

  it('delivers from a topic to a queue, without an envelope if so subscribed, also after a restart', async () => {
    const first = await startMessaging({ dataDir: folder.path });
    const { QueueUrl = '' } = await sqsClient(first.endpoint).send(new CreateQueueCommand({ QueueName: 'orders' }));
    const { TopicArn } = await snsClient(first.endpoint).send(new CreateTopicCommand({ Name: 'events' }));
    await snsClient(first.endpoint).send(
      new SubscribeCommand({
        TopicArn,
        Protocol: 'sqs',
        Endpoint: 'arn:aws:sqs:us-east-1:000000000000:orders',
        Attributes: { RawMessageDelivery: 'true' },
      }),
    );
    await first.stop();
    const second = await startMessaging({ dataDir: folder.path });
    await snsClient(second.endpoint).send(new PublishCommand({ TopicArn, Message: '{"eventType":"Send"}' }));
    expect((await receiveOne(second.endpoint, QueueUrl))?.Body).toBe('{"eventType":"Send"}');
    await second.stop();
  });

  it('makes a message visible at once when its visibility timeout is set to 0', async () => {
    const engine = await startMessaging({ dataDir: folder.path });
    const sqs = sqsClient(engine.endpoint);
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'orders' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'again' }));
    const { ReceiptHandle } = (await receiveOne(engine.endpoint, QueueUrl)) ?? {};
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    expect((await receiveOne(engine.endpoint, QueueUrl))?.Body).toBe('again');
    await engine.stop();
  });

  it('refuses an unsigned call, which a web page could send', async () => {
    const engine = await startMessaging({ dataDir: folder.path });
    const form = new URLSearchParams({ Action: 'ListTopics' });
    const answer = await fetch(engine.endpoint, { method: 'POST', body: form });
    expect(answer.status).toBe(403);
    await engine.stop();
  });
});
