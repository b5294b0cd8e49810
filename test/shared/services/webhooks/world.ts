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
import type { WebhookEventType } from '../../../../shared/domain/webhook/webhook.ts';
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
  const consoleSecretFile = join(folder, 'console-secret.json');
  for (const path of [secretFile, consoleSecretFile])
    writeFileSync(path, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, {
    CONSOLE_SECRET_FILE: consoleSecretFile,
    AWS_ENDPOINT_URL_SCHEDULER: scheduler.endpoint,
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
    /** Takes the visible messages off the queue: all, or those of one webhook. */
    messages: async (webhookId?: string) => {
      await take(queue.url, taken);
      const isWanted = (message: WebhookMessage) => !webhookId || message.webhookId === webhookId;
      const wanted = taken.filter(isWanted);
      taken = taken.filter((message) => !isWanted(message));
      return wanted;
    },
    /** Takes the visible messages of the bulk lane off its queue. */
    bulkMessages: () => take(bulk.url, []),
    /** Messages that wait for their delay; `queued` also counts those whose delay is over. */
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
  events?: WebhookEventType[];
  enabled?: boolean;
  workspaceId?: string;
}) {
  const [{ createId }, domain, { addWebhook }, { sealWebhookSecret, createWebhookSecret }] = await Promise.all([
    import('../../../../shared/domain/identifier.ts'),
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

/** Replaces a delivery by one in a state that would take days to reach. */
export async function replaceDelivery(delivery: Delivery): Promise<void> {
  const { addDelivery, deleteDeliveries } = await import('../../../../shared/store/webhook/deliveries.ts');
  await deleteDeliveries([delivery]);
  await addDelivery(delivery);
}

/** A clock that only moves by hand. */
export function movableClock(start: Date) {
  let current = start.getTime();
  const clock = () => new Date(current);
  return Object.assign(clock, {
    move: (seconds: number) => {
      current += seconds * 1000;
    },
  });
}
