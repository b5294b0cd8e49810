import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { startScheduler } from '../../../../infra/local/scheduler/scheduler.ts';
import type { Delivery } from '../../../../shared/domain/webhook/delivery.ts';
import type { EventType } from '../../../../shared/domain/webhook/eventType.ts';
import { parseWebhookMessage, type WebhookMessage } from '../../../../shared/queue/webhookMessage.ts';
import { credentials, region, startQueuesAndTable } from '../queuesAndTable.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Table, delivery queue and scheduler as real engines, and this process's environment pointed at them. */
export async function startWorld() {
  const { sqs, queues, folder, stop } = await startQueuesAndTable();
  const { 'webhook-delivery': queue, 'webhook-delivery-bulk': bulk } = queues;
  if (!queue || !bulk) throw new Error('There is no delivery queue.');
  const scheduler = await startScheduler({
    databasePath: join(folder, 'scheduler.db'),
    sendToQueue: async (_arn, MessageBody) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody }));
    },
  });
  const schedules = new SchedulerClient({ endpoint: scheduler.endpoint, region, credentials });
  const secretFile = join(folder, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SCHEDULER: scheduler.endpoint,
    WEBHOOK_DELIVERY_QUEUE_URL: queue.url,
    WEBHOOK_DELIVERY_QUEUE_ARN: queue.arn,
    WEBHOOK_DELIVERY_BULK_QUEUE_URL: bulk.url,
    WEBHOOK_DELIVERY_BULK_QUEUE_ARN: bulk.arn,
    SCHEDULER_ROLE_ARN: 'arn:aws:iam::000000000000:role/test',
    SERVICE_SECRET_FILE: secretFile,
    ALLOW_LOOPBACK: 'true',
  });

  // biome-ignore lint/suspicious/noExplicitAny: messages are of several kinds, and tests look into them
  let taken: any[] = [];
  const take = async (QueueUrl: string, into: WebhookMessage[]) => {
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      if (Messages.length === 0) return into;
      into.push(...Messages.map(({ Body = '' }) => parseWebhookMessage(Body)));
      for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  };

  const counts = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: ['All'] }),
    );
    const count = (name: keyof NonNullable<typeof Attributes>) => Number(Attributes?.[name]);
    return {
      delayed: count('ApproximateNumberOfMessagesDelayed'),
      visible: count('ApproximateNumberOfMessages'),
    };
  };

  return {
    secretFile,
    /** Every message that is visible now, taken off the queue; of one webhook, if one is named: others keep theirs. */
    messages: async (webhookId?: string) => {
      await take(queue.url, taken);
      const isWanted = (message: WebhookMessage) => !webhookId || message.webhookId === webhookId;
      const wanted = taken.filter(isWanted);
      taken = taken.filter((message) => !isWanted(message));
      return wanted;
    },
    /** What is visible on the queue of the other lane, taken off it. */
    bulkMessages: () => take(bulk.url, []),
    /** How many messages wait for their delay; `queued` counts those too whose delay is over. */
    delayed: async () => (await counts()).delayed,
    queued: async () => {
      const { delayed, visible } = await counts();
      return delayed + visible;
    },
    schedule: (Name: string) => schedules.send(new GetScheduleCommand({ Name })),
    scheduleNames: async () =>
      ((await schedules.send(new ListSchedulesCommand({}))).Schedules ?? []).map(({ Name }) => Name),
    moveSchedulerClock: async (seconds: number) => {
      await fetch(`${scheduler.endpoint}/_control/clock`, {
        method: 'PUT',
        body: JSON.stringify({ offset_seconds: seconds }),
      });
    },
    stop: async () => {
      schedules.destroy();
      await scheduler.stop();
      await stop();
    },
  };
}

/** A webhook of a workspace of its own, written straight into the table. */
export async function newWebhook(options: {
  url: string;
  events?: EventType[];
  enabled?: boolean;
  workspaceId?: string;
}) {
  const [{ createId }, domain, { addWebhook }, { sealWebhookSecret, createWebhookSecret }] = await Promise.all([
    import('../../../../shared/domain/token/identifier.ts'),
    import('../../../../shared/domain/webhook/webhook.ts'),
    import('../../../../shared/store/webhook/webhooks.ts'),
    import('../../../../shared/store/webhook/webhookSecret.ts'),
  ]);
  const now = new Date();
  const { workspaceId = createId('ws', now), url, events = ['email.delivered'], enabled = true } = options;
  const position = { workspaceId, webhookId: createId('whk', now) };
  const secret = createWebhookSecret();
  const settings = { name: 'Test', url, events, enabled };
  const webhook = domain.newWebhook(position, settings, await sealWebhookSecret(secret, position), now);
  await addWebhook(webhook, 20);
  return { ...position, secret, webhook };
}

/** Puts a delivery in place of the one that stands, in a state that would take days to reach. */
export async function replaceDelivery(delivery: Delivery): Promise<void> {
  const { addDelivery, deleteDeliveries } = await import('../../../../shared/store/webhook/deliveries.ts');
  await deleteDeliveries([delivery]);
  await addDelivery(delivery);
}

/** A clock that stands still until it is moved. */
export function movableClock(start: Date) {
  let current = start.getTime();
  const clock = () => new Date(current);
  return Object.assign(clock, {
    move: (seconds: number) => {
      current += seconds * 1000;
    },
  });
}
