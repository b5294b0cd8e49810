import type { SQSEvent } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { type AttemptMessage, wireWebhookMessage } from '../../../shared/queue/webhookMessage.ts';
import { emitted, useWorld } from '../../shared/services/webhooks/emitting.ts';

const using = useWorld();

/** Gives the worker a message as Lambda does after this many receives. */
async function received(message: AttemptMessage, receives: number): Promise<void> {
  const { handler } = await import('../../../functions/workers/webhookDelivery.ts');
  const record = {
    messageId: 'm',
    body: wireWebhookMessage(message),
    attributes: { ApproximateReceiveCount: String(receives) },
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:webhook-delivery',
  };
  const event = { Records: [record] } as unknown as SQSEvent;
  expect(await handler(event, lambdaContext('webhookDelivery', 60), () => {})).toEqual({ batchItemFailures: [] });
}

describe('a message about an attempt that was made', () => {
  it.each([
    ['that SQS gives once is a duplicate, and is dropped', 1, 0],
    ['that SQS gives again may be all that a crashed worker left, and asks for the retry', 2, 1],
  ])('%s', async (_, receives, retries) => {
    using.receiver.answer(500);
    const { message, state } = await emitted(using.world, { url: using.receiver.url });
    await received(message as AttemptMessage, 1);
    expect(await state()).toMatchObject({ status: 'pending', tries: 1 });
    const queued = await using.world.queued();
    await received(message as AttemptMessage, receives);
    expect(await using.world.queued()).toBe(queued + retries);
    expect(using.receiver.requests).toHaveLength(1);
  });
});
