import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { startMessaging } from '../../../../infra/local/messaging/messaging.ts';
import { ensureQueues } from '../../../../infra/local/messaging/queueResources.ts';
import { queues } from '../../../../infra/resources.ts';
import { sqsClient } from '../clients.ts';
import { temporaryFolder } from '../processes.ts';

describe('ensureQueues', () => {
  it('gives every queue a visibility timeout of six times its worker’s and a dead-letter queue, and reverts changes', async () => {
    const folder = await temporaryFolder();
    const engine = await startMessaging({ dataDir: folder.path });
    const sqs = sqsClient(engine.endpoint);
    const first = await ensureQueues(sqs, 'mailroom');
    expect(Object.keys(first)).toEqual(Object.keys(queues));
    const QueueUrl = first.feedback?.url;
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '7' } }));
    expect(await ensureQueues(sqs, 'mailroom')).toEqual(first);
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(Attributes?.VisibilityTimeout).toBe(String(queues.feedback.workerTimeoutSeconds * 6));
    expect(JSON.parse(Attributes?.RedrivePolicy ?? '')).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:mailroom-feedback-dead',
      maxReceiveCount: queues.feedback.maxReceives,
    });
    sqs.destroy();
    await engine.stop();
    await folder.remove();
  });
});
