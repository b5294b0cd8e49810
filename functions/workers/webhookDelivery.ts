import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseWebhookMessage } from '../../shared/queue/webhookMessage.ts';
import { handleWebhookMessage } from '../../shared/services/webhooks/handleWebhookMessage.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body, attributes }) =>
    handleWebhookMessage(
      parseWebhookMessage(body),
      { isRedelivered: Number(attributes.ApproximateReceiveCount) > 1 },
      now,
    ),
  );
