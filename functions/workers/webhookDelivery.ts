import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseWebhookMessage } from '../../shared/queue/webhookMessage.ts';
import { runWebhookMessage } from '../../shared/services/deliveries/run.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body, attributes }) =>
    runWebhookMessage(
      parseWebhookMessage(body),
      { isRedelivered: Number(attributes.ApproximateReceiveCount) > 1 },
      now,
    ),
  );
